// The log that plug-ins write to: a file that the environment names, and a host if there is one.
#pragma once

#include <atomic>
#include <cstdio>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "oriel/plugins/manager.h"
#include "plugins/info/object.h"

namespace oriel::plugins {

// Any thread. One for the process, that lives as long.
class Log {
 public:
  static Log& of_process();

  // What the environment says: MicrosoftInstrumentationEngine_LogLevel, _FileLog, _FileLogPath.
  void read_environment();
  // The same of a tool that attaches; "" of what it did not say.
  void read_settings(const std::string& level, const std::string& file_level, const std::string& path);

  // The level of whoever writes; none where it has none of its own: then that for all counts.
  using OwnLevel = std::optional<LoggingFlags>;

  // To the host, and to the file as far as _FileLog lets it.
  void write(LoggingFlags kind, std::string_view text, OwnLevel own = {});
  // Would anybody read it?
  bool takes(LoggingFlags kind, OwnLevel own = {}) const { return to_file(kind, own) || to_host(kind, own); }
  void message(const std::string& text) { write(kLogTrace, text); }
  void error(const std::string& text) { write(kLogErrors, text); }
  // An error that stands there whatever the level is, where there is a file or a host at all.
  void error_at_any_level(const std::string& text);
  // Has nobody said this text before? It is said from now on.
  bool is_new(const std::string& text);

  // What is written now of who has no level of its own; nothing where there is no file and no host.
  LoggingFlags flags() const;
  void set_flags(LoggingFlags flags);
  // The level that the environment gives a plug-in, _LogLevel_{CLASS}: "None" is one. It is for that plug-in's lines.
  OwnLevel add_plugin(const Guid& id);
  void set_host(ComPtr<IProfilerManagerLoggingHost> host);

 private:
  bool to_file(LoggingFlags kind, OwnLevel own) const;
  bool to_host(LoggingFlags kind, OwnLevel own) const { return has_host_ && (own.value_or(flags()) & kind) != 0; }
  void settle();  // under lock_
  void write_line(LoggingFlags kind, std::string_view text);
  void tell_host(LoggingFlags kind, std::string_view text);

  std::mutex lock_;                              // all but what is atomic; no host is called under it
  std::atomic<int32_t> wanted_{0}, of_file_{0};  // 0 of the file: what is wanted
  std::atomic<bool> has_file_{false}, has_host_{false};
  int32_t of_plugins_ = 0;  // what any of them wants for itself
  std::set<std::string> said_;
  std::string path_;
  std::FILE* file_ = nullptr;
  ComPtr<IProfilerManagerLoggingHost> host_;
};

// An error that the user reads on stderr too, whatever the level of the log is.
void say(const std::string& text);
// The same of what comes about again and again: the first time.
void say_once(const std::string& text);

// "Errors", "Messages", "Dumps" and "All", in any text that has them.
LoggingFlags parse_log_level(std::string_view text);

}  // namespace oriel::plugins
