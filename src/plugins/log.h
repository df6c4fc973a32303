// The log of plug-ins: a file that the environment names, and a host if there is one.
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

// One for the process; never destroyed. Any thread.
class Log {
 public:
  static Log& of_process();

  // Reads MicrosoftInstrumentationEngine_LogLevel, _FileLog and _FileLogPath from the environment.
  void read_environment();
  // The same settings from an attaching tool; "" if not given.
  void read_settings(const std::string& level, const std::string& file_level, const std::string& path);

  // A writer's own level; none: the common level applies.
  using OwnLevel = std::optional<LoggingFlags>;

  // Writes to the host, and to the file as far as _FileLog allows.
  void write(LoggingFlags kind, std::string_view text, OwnLevel own = {});
  // Whether the text would be written anywhere.
  bool takes(LoggingFlags kind, OwnLevel own = {}) const { return to_file(kind, own) || to_host(kind, own); }
  void message(const std::string& text) { write(kLogTrace, text); }
  void error(const std::string& text) { write(kLogErrors, text); }
  // Writes an error whatever the level is, if there is a file or a host.
  void error_at_any_level(const std::string& text);
  // Whether the text is new; remembers it.
  bool is_new(const std::string& text);

  // The common level; nothing if there is neither a file nor a host.
  LoggingFlags flags() const;
  void set_flags(LoggingFlags flags);
  // The level that the environment gives a plug-in, _LogLevel_{CLASS}; "None" is a level too. For that plug-in's lines.
  OwnLevel add_plugin(const Guid& id);
  void set_host(ComPtr<IProfilerManagerLoggingHost> host);

 private:
  bool to_file(LoggingFlags kind, OwnLevel own) const;
  bool to_host(LoggingFlags kind, OwnLevel own) const { return has_host_ && (own.value_or(flags()) & kind) != 0; }
  void update_outputs();  // under lock_
  void write_line(LoggingFlags kind, std::string_view text);
  void tell_host(LoggingFlags kind, std::string_view text);

  std::mutex lock_;                              // guards all that is not atomic; no host is called under it
  std::atomic<int32_t> wanted_{0}, of_file_{0};  // of_file_ is 0: wanted_ applies
  std::atomic<bool> has_file_{false}, has_host_{false};
  int32_t of_plugins_ = 0;  // the union of plug-ins' own levels
  std::set<std::string> said_;
  std::string path_;
  std::FILE* file_ = nullptr;
  ComPtr<IProfilerManagerLoggingHost> host_;
};

// Reports an error in the log, whatever its level, and on stderr.
void say(const std::string& text);
// The same, only the first time that this text is reported.
void say_once(const std::string& text);

// Recognizes "Errors", "Messages", "Dumps" and "All" anywhere in the text.
LoggingFlags parse_log_level(std::string_view text);

}  // namespace oriel::plugins
