#include "base/process/task_limit.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/files/descriptor.h"
#include "base/process/control_groups.h"

namespace oriel {
namespace {

constexpr uint64_t kUnlimited = UINT64_MAX;

// A user's limit above this is not checked: counting a user's tasks means reading all processes.
constexpr uint64_t kMostLookedInto = 4096;

// `dotnet hello.dll` on .NET 10 runs with 8 tasks and fails or crashes with 7 (setpriv --reuid, ulimit -u).
constexpr uint64_t kPlainProgram = 8;
// The engine's, the log's and the sampling thread.
constexpr uint64_t kOwnThreads = 3;
// Threads of a pool in addition to one per processor: its gate, timers, waits, and one that watches files or sockets.
constexpr uint64_t kPoolBeside = 4;

// Privileged processes are exempt from the limit; root in a user namespace is not.
bool is_privileged() {
  constexpr const char* kAllUsers = "4294967295";
  if (system_text("/proc/self/uid_map").find(kAllUsers) == std::string::npos) return false;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2] = {};
  if (getuid() == 0 || syscall(SYS_capget, &header, sets) != 0) return getuid() == 0;
  return (sets[0].effective & (1u << CAP_SYS_RESOURCE | 1u << CAP_SYS_ADMIN)) != 0;
}

// The user's tasks in all processes, counted up to `most`.
uint64_t tasks_of_user(uint64_t most) {
  const int folder = open_with_high_number("/proc", O_RDONLY | O_DIRECTORY);
  DIR* const processes = folder < 0 ? nullptr : fdopendir(folder);
  if (!processes) {
    if (folder >= 0) close(folder);
    return 0;
  }
  uint64_t tasks = 0;
  while (const dirent* entry = tasks < most ? readdir(processes) : nullptr) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
    const std::string status = system_text(std::string("/proc/") + entry->d_name + "/status");
    if (number_behind(status.c_str(), "Uid:") != getuid()) continue;
    const uint64_t threads = number_behind(status.c_str(), "Threads:");
    tasks += threads == kUnlimited ? 0 : threads;
  }
  closedir(processes);
  return tasks;
}

uint64_t free_by_user() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur > kMostLookedInto || is_privileged()) return kUnlimited;
  return limit.rlim_cur - std::min<uint64_t>(tasks_of_user(limit.rlim_cur), limit.rlim_cur);
}

uint64_t free_in_group(const std::string& folder) {
  const std::string most = system_text(folder + "/pids.max");
  if (most.empty() || most[0] < '0' || most[0] > '9') return kUnlimited;
  const uint64_t limit = std::strtoull(most.c_str(), nullptr, 10);
  const uint64_t now = std::strtoull(system_text(folder + "/pids.current").c_str(), nullptr, 10);
  return limit - std::min(limit, now);
}

uint64_t free_by_groups() { return least_in_control_groups("pids", free_in_group); }

}  // namespace

uint64_t number_behind(const char* text, const char* name) {
  const size_t length = std::strlen(name);
  for (const char* line = text; line != nullptr && *line != '\0';) {
    if (std::strncmp(line, name, length) == 0) return std::strtoull(line + length, nullptr, 10);
    line = std::strchr(line, '\n');
    if (line != nullptr) ++line;
  }
  return kUnlimited;
}

std::optional<TaskRoom> task_room() {
  const uint64_t free = std::min(free_by_user(), free_by_groups());
  if (free == kUnlimited) return std::nullopt;
  const uint64_t threads = number_behind(system_text("/proc/self/status").c_str(), "Threads:");
  return TaskRoom{free, threads == kUnlimited ? 1 : threads};
}

std::optional<uint64_t> tasks_missing(const TaskRoom& room, uint64_t processors) {
  const uint64_t of_program = kPlainProgram - std::min(kPlainProgram, room.threads);
  const uint64_t wanted = of_program + kOwnThreads + kPoolBeside + processors;
  return room.free < wanted ? std::optional(wanted - room.free) : std::nullopt;
}

}  // namespace oriel
