// What /proc tells of a process from outside. Everything may be different a moment later; what cannot be read is empty.
// Errors are not told: a process that has ended and one that may not be looked into read alike. Any thread; no locks.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::diagnostics {

struct Process {
  pid_t pid = 0;
  pid_t own_pid = 0;                 // in its own pid namespace
  uid_t user = 0;                    // its effective user
  char state = '?';                  // 'R', 'S', 'D', 'T' (stopped), 't' (traced), 'Z' …
  uint64_t start_ticks = 0;          // when it started, in clock ticks (sysconf(_SC_CLK_TCK)) since boot
  std::vector<std::string> command;  // its words

  // Of one that this user may look into:
  bool readable = false;
  std::string root;                      // "" if it has the file system of this process, else "/proc/PID/root"
  std::vector<std::string> environment;  // "NAME=VALUE" each, as it was started with
  std::vector<std::string> files;        // that are mapped: paths in its file system, sorted, each once
};

// All there are, ascending; empty if /proc is not mounted.
std::vector<pid_t> process_ids();

// The process without what only those who may look into it can read. Nullopt of one that has ended, of zombies and of
// the kernel's threads, which have no command.
std::optional<Process> read_process(pid_t pid);

// Adds what only those who may look into it can read.
void read_inside(Process& process);

// The value of a variable that it was started with; nullopt if it is not set.
std::optional<std::string_view> variable(const Process& process, std::string_view name);

// The mapped file of this name; "" if there is none.
std::string_view mapped_file(const Process& process, std::string_view name);

inline bool is_stopped(const Process& process) { return process.state == 'T' || process.state == 't'; }

// A path in the process's file system as this process can open it.
std::string seen_path(const Process& process, std::string_view path);

namespace internal {
// From the texts of /proc/PID/status, stat and maps.
void parse_status(std::string_view text, Process& to);
void parse_stat(std::string_view text, Process& to);
std::vector<std::string> mapped_files(std::string_view maps);
}  // namespace internal

}  // namespace oriel::diagnostics
