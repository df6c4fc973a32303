#include "common/process_info.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <climits>

#include "base/clock.h"
#include "base/descriptor.h"

namespace oriel::modules {
namespace {

// Words joined by blanks; those that a shell would take apart in single quotes.
std::string shell_words(const std::string& nul_separated) {
  std::string text;
  for (size_t at = 0; at < nul_separated.size();) {
    size_t end = nul_separated.find('\0', at);
    if (end == std::string::npos) end = nul_separated.size();
    const std::string word = nul_separated.substr(at, end - at);
    const bool quote = word.empty() || word.find_first_of(" \t\n'\"\\$*?&|;<>()`#~") != std::string::npos;
    if (!text.empty()) text += ' ';
    if (quote) text += '\'';
    for (const char c : word) text += quote && c == '\'' ? "'\\''" : std::string(1, c);
    if (quote) text += '\'';
    at = end + 1;
  }
  return text;
}

uint64_t microseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000u + static_cast<uint64_t>(time.tv_usec);
}

}  // namespace

std::string read_command_line() {
  std::string text;
  const int file = open_out_of_the_way("/proc/self/cmdline", O_RDONLY);
  if (file < 0) return text;
  char bytes[4096];
  for (ssize_t got; (got = read(file, bytes, sizeof bytes)) > 0;) text.append(bytes, static_cast<size_t>(got));
  close(file);
  return text;
}

std::vector<std::pair<std::string, std::string>> process_properties() {
  char cwd[PATH_MAX] = "";
  if (!getcwd(cwd, sizeof cwd)) cwd[0] = '\0';
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return {{"command", shell_words(read_command_line())},
          {"pid", std::to_string(getpid())},
          {"cwd", cwd},
          {"host", host},
          {"cores", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))}};
}

log::ProcessUsage process_usage() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  log::ProcessUsage result;
  result.clock = clock_pair();
  result.user_us = microseconds(usage.ru_utime);
  result.system_us = microseconds(usage.ru_stime);
  result.max_rss_kb = static_cast<uint64_t>(usage.ru_maxrss);
  return result;
}

}  // namespace oriel::modules
