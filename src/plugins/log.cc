#include "plugins/log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

#include "base/text/utf16.h"
#include "plugins/environment.h"
#include "plugins/text.h"

namespace oriel::plugins {
namespace {

// In a folder, each process gets its own file.
std::string file_in(const std::string& path) {
  struct stat what {};
  const bool is_folder = path.ends_with('/') || (stat(path.c_str(), &what) == 0 && S_ISDIR(what.st_mode));
  if (!is_folder) return path;
  return path + (path.ends_with('/') ? "" : "/") + "ProfilerLog_" + std::to_string(getpid()) + ".txt";
}

// Does not wait for a pipe's reader: without one there is no file, and errno is ENXIO.
FILE* appended(const std::string& path) {
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const int file = open(path.c_str(), kFlags, 0666);
  FILE* const stream = file < 0 ? nullptr : fdopen(file, "a");
  if (file >= 0 && stream == nullptr) close(file);
  return stream;
}

std::string prefix(LoggingFlags kind) {
  if (kind == kLogResults) return "";
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[32];
  std::strftime(text, sizeof text, kind == kLogErrors ? "LogError[%H:%M:%S]:" : "LogMessage[%H:%M:%S]:", &local);
  return text;
}

}  // namespace

void say(const std::string& text) {
  Log::of_process().error_at_any_level(text);
  std::fprintf(stderr, "oriel: plug-ins: %s\n", text.c_str());
}

void say_once(const std::string& text) {
  if (Log::of_process().is_new(text)) say(text);
}

LoggingFlags parse_log_level(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  if (has("All")) return static_cast<LoggingFlags>(kLogErrors | kLogTrace | kLogResults);
  return static_cast<LoggingFlags>((has("Errors") ? kLogErrors : 0) | (has("Messages") ? kLogTrace : 0) |
                                   (has("Dumps") ? kLogResults : 0));
}

Log& Log::of_process() {
  static auto* log = new Log;  // never destroyed: threads may write until the process ends
  return *log;
}

void Log::read_environment() {
  const std::lock_guard guard(lock_);
  wanted_ = parse_log_level(environment("LogLevel"));
  of_file_ = parse_log_level(environment("FileLog"));
  path_ = environment("FileLogPath");
  update_outputs();
}

void Log::read_settings(const std::string& level, const std::string& file_level, const std::string& path) {
  const std::lock_guard guard(lock_);
  if (!level.empty()) wanted_ = parse_log_level(level);
  if (!file_level.empty()) of_file_ = parse_log_level(file_level);
  if (!path.empty()) path_ = path;
  update_outputs();
}

// The file is opened when it is first needed.
void Log::update_outputs() {
  const bool is_wanted = of_file_ != 0 || (wanted_ | of_plugins_) != 0;
  if (is_wanted && file_ == nullptr && !path_.empty()) {
    file_ = appended(file_in(path_));
    if (file_ == nullptr) path_.clear();
  }
  has_file_ = file_ != nullptr;
  has_host_ = static_cast<bool>(host_);
}

void Log::set_flags(LoggingFlags flags) {
  const std::lock_guard guard(lock_);
  wanted_ = flags;
  update_outputs();
}

LoggingFlags Log::flags() const {
  const int32_t file = !has_file_ ? 0 : of_file_ != 0 ? of_file_.load() : wanted_.load();
  return static_cast<LoggingFlags>(file | (has_host_ ? wanted_.load() : 0));
}

Log::OwnLevel Log::add_plugin(const Guid& id) {
  const std::string text = environment_of_class("LogLevel_", bare_guid_text(id));
  if (text.empty()) return {};
  const LoggingFlags own = parse_log_level(text);
  const std::lock_guard guard(lock_);
  of_plugins_ |= own;
  update_outputs();
  return own;
}

void Log::set_host(ComPtr<IProfilerManagerLoggingHost> host) {
  const std::lock_guard guard(lock_);
  std::swap(host_, host);
  update_outputs();
}

void Log::write_line(LoggingFlags kind, std::string_view text) {
  const std::lock_guard guard(lock_);
  if (file_ == nullptr) return;
  std::fprintf(file_, "%s%.*s\n", prefix(kind).c_str(), static_cast<int>(text.size()), text.data());
  std::fflush(file_);
}

bool Log::to_file(LoggingFlags kind, OwnLevel own) const {
  if (!has_file_ || (of_file_ != 0 && (of_file_ & kind) == 0)) return false;
  return (own.value_or(flags()) & kind) != 0;
}

bool Log::is_new(const std::string& text) {
  const std::lock_guard guard(lock_);
  return said_.insert(text).second;
}

void Log::write(LoggingFlags kind, std::string_view text, OwnLevel own) {
  if (to_file(kind, own)) write_line(kind, text);
  if (to_host(kind, own)) tell_host(kind, text);
}

void Log::error_at_any_level(const std::string& text) {
  write_line(kLogErrors, text);
  if (has_host_) tell_host(kLogErrors, text);
}

void Log::tell_host(LoggingFlags kind, std::string_view text) {
  ComPtr<IProfilerManagerLoggingHost> host;
  {
    const std::lock_guard guard(lock_);
    host = host_;
  }
  if (!host) return;
  const std::u16string wide = utf16_of(text);
  try {
    if (kind == kLogErrors) host->LogError(wide.c_str());
    if (kind == kLogTrace) host->LogMessage(wide.c_str());
    if (kind == kLogResults) host->LogDumpMessage(wide.c_str());
  } catch (...) {
    set_host({});
    say("the logging host threw an exception; it is no longer called");
  }
}

}  // namespace oriel::plugins
