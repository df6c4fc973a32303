#include "live/live_processes.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <span>

#include "base/text/path.h"
#include "diagnostics/process_info.h"

namespace oriel::cli {
namespace {

using diagnostics::PortState;
using diagnostics::RuntimeKind;

constexpr std::chrono::milliseconds kMostWait{300}, kMostWaitForOne{3000};

// Whether it is started by the `dotnet` command, which is all that is seen of one that may not be looked into.
bool is_called_dotnet(const diagnostics::Process& process) {
  return !process.command.empty() && file_name(process.command[0]) == "dotnet";
}

// Nullopt if it is none of .NET.
std::optional<LiveProcess> look_at_process(pid_t pid, bool all) {
  std::optional<diagnostics::Process> process = diagnostics::read_process(pid);
  if (!process || (!all && process->user != geteuid())) return std::nullopt;
  diagnostics::read_inside(*process);
  LiveProcess live{std::move(*process), {}, {}, std::nullopt};
  live.runtime = runtime_of(live.process);
  if (live.runtime.kind == RuntimeKind::kMono) return live;
  live.place = find_port(live.process);
  if (live.runtime.kind != RuntimeKind::kNone) return live;
  if (!live.process.readable) {
    if (live.place.state != PortState::kThere && !is_called_dotnet(live.process)) return std::nullopt;
    return live;
  }
  if (live.place.state != PortState::kThere) return std::nullopt;
  live.runtime.kind = runtime_in_executable(live.process);
  return live;
}

void ask_all(std::span<LiveProcess> processes, std::chrono::milliseconds wait) {
  std::vector<diagnostics::Port> ports;
  std::vector<LiveProcess*> asked;
  for (LiveProcess& live : processes) {
    if (live.place.state != PortState::kThere || !live.process.readable || is_stopped(live.process)) continue;
    ports.push_back(live.place.port);
    asked.push_back(&live);
  }
  std::vector<Result<diagnostics::ProcessInfo>> infos = diagnostics::ask_process_info(ports, wait);
  for (size_t i = 0; i < asked.size(); ++i) asked[i]->info = std::move(infos[i]);
}

}  // namespace

std::string LiveProcess::version() const {
  return info && *info && !(*info)->version.empty() ? (*info)->version : runtime.version;
}

int64_t age_of(const diagnostics::Process& process) {
  timespec since_boot{};
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  const int64_t start = static_cast<int64_t>(process.start_ticks) / sysconf(_SC_CLK_TCK);
  return std::max<int64_t>(since_boot.tv_sec - start, 0);
}

std::optional<LiveProcess> live_process(pid_t pid) {
  std::optional<LiveProcess> live = look_at_process(pid, true);
  if (live) ask_all({&*live, 1}, kMostWaitForOne);
  return live;
}

std::vector<LiveProcess> live_processes(bool all) {
  std::vector<LiveProcess> processes;
  for (const pid_t pid : diagnostics::process_ids())
    if (std::optional<LiveProcess> live = look_at_process(pid, all || geteuid() == 0))
      processes.push_back(std::move(*live));
  ask_all(processes, kMostWait);
  return processes;
}

}  // namespace oriel::cli
