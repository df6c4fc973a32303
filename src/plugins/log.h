// The log that plug-ins write to: a file that the environment names, and a host if there is one.
#pragma once

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

#include "oriel/plugins/manager.h"
#include "plugins/object.h"

namespace oriel::plugins {

// Any thread. One for the process, that lives as long.
class Log {
 public:
  static Log& of_process();

  // What the environment says: MicrosoftInstrumentationEngine_LogLevel, _FileLog, _FileLogPath, and of a plug-in
  // _LogLevel_{CLASS}.
  void read_environment();
  // The same of a tool that attaches; "" of what it did not say.
  void read_settings(const std::string& level, const std::string& file_level, const std::string& path);

  void write(LoggingFlags kind, std::string_view text);
  void message(const std::string& text) { write(kLogTrace, text); }
  void error(const std::string& text) { write(kLogErrors, text); }

  // What is written now; nothing where there is no file and no host.
  LoggingFlags flags() const { return static_cast<LoggingFlags>(flags_.load(std::memory_order_relaxed)); }
  void set_flags(LoggingFlags flags);
  // Those of a plug-in are written whatever others want.
  LoggingFlags add_plugin(const Guid& id);
  void set_host(ComPtr<IProfilerManagerLoggingHost> host);

 private:
  void settle();  // under lock_
  void write_line(LoggingFlags kind, std::string_view text);

  std::mutex lock_;  // all but flags_; no host is called under it
  std::atomic<int32_t> flags_{0};
  int32_t wanted_ = 0, of_plugins_ = 0, of_file_ = 0;
  std::string path_;
  std::FILE* file_ = nullptr;
  ComPtr<IProfilerManagerLoggingHost> host_;
};

// An error that the user reads also where there is no log.
void say(const std::string& text);

// "Errors", "Messages", "Dumps" and "All", in any text that has them.
LoggingFlags parse_log_level(std::string_view text);

}  // namespace oriel::plugins
