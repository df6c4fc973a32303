#include "live/attach_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/files/file_template.h"
#include "base/text/whole_number.h"
#include "live/control_client.h"
#include "live/obstacle.h"
#include "live/presence.h"
#include "locate.h"
#include "log/stream.h"
#include "run/log_files.h"
#include "show/read_log.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

Status cannot_attach(const AttachPlan& plan, const std::string& why) {
  return Status::error(fmt::format(
      "attach: process {} cannot be attached to: {}; docs/TROUBLESHOOTING.md has what to do", plan.who(), why));
}

// Whether the engine has stayed in the process since an earlier attach, and does nothing.
bool is_asleep(const LiveProcess& live) {
  constexpr size_t kState = 3;  // engine/control/commands.h
  Result<ControlClient> client = ControlClient::try_to_connect(live.process);
  const auto status = client ? client->ask({"status"}) : client.status();
  return status && !status->lines.empty() && status->lines[0].size() > kState && status->lines[0][kState] == "asleep";
}

// A program that has just started may not have come so far.
Status find_process(pid_t pid, AttachPlan& plan) {
  constexpr milliseconds kPause{5};
  constexpr int64_t kStart = 5;  // seconds
  int tries_while_off = 200, tries_while_empty = 200;
  for (;;) {
    const auto process = diagnostics::read_process(pid);
    // For a moment one that has been started has no command.
    if (!process && kill(pid, 0) == 0 && --tries_while_empty > 0) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    if (!process)
      return Status::error(fmt::format("attach: there is no process {}; oriel ps lists those of .NET", pid));
    std::optional<LiveProcess> live = live_process(pid);
    const Presence presence = live ? presence_in(live->process) : Presence();
    const std::string why = live ? obstacle_to_attaching(*live, presence, plan.engine) : "";
    const bool comes = !live || !live->runtime.started || why == kNoSocket;
    if (comes && age_of(*process) < kStart) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    if (!live) return Status::error(fmt::format("attach: process {} is none of .NET; oriel ps lists these", pid));
    plan.live = std::move(*live);
    plan.name = program_name(plan.live.process.command);
    plan.again = why == kOrielInside && is_asleep(plan.live);
    // Which may be about to leave.
    if (why == kOrielInside && !plan.again && presence.off && --tries_while_off > 0) {
      std::this_thread::sleep_for(kPause);
      continue;
    }
    return why.empty() || plan.again ? Status::ok() : cannot_attach(plan, why);
  }
}

// The first option that needs the program's code changed: probes; or values of counters and activities, with which a
// wait in the runtime must be taken out. Requests that a recorder waits for are activities. "": none.
std::string option_that_changes_code(const AttachOptions& options, std::vector<PlannedModule>& given) {
  constexpr std::string_view kManaged[] = {"--counters", "--activities", "--on-request"};
  const auto typed = options.built_in.typed();
  for (PlannedModule& module : given)
    for (const modules::Option& option : module.command->table.rows) {
      if (*option.option == '\0' || std::ranges::find(typed, option.option) == typed.end()) continue;
      const bool sampled = std::string_view(option.option) == "--alloc" && module.text_of("alloc") == "sampled";
      const bool managed = std::ranges::find(kManaged, option.option) != std::end(kManaged);
      if (managed || (!sampled && (option.is_instrumentation || !module.command->is_default()))) return option.option;
    }
  return "";
}

// The default name is a new one: the program may have been profiled before.
Result<std::string> log_path(const std::string& output, const std::string& name, pid_t pid) {
  const Result<LogTemplate> pattern = log_template(output, false);
  if (!pattern) return pattern.status();
  if (log::is_stream(pattern->folder + "/" + pattern->name))
    return Status::error(
        fmt::format("'{}' is a pipe or a socket, to which only oriel run writes; name a file with -o", output));
  const fs::path first = fs::path(pattern->folder) / expand_template(pattern->name, name, pid);
  fs::path path = first;
  for (int number = 2; output.empty() && fs::exists(path); ++number)
    path = first.parent_path() / fmt::format("{}-{}{}", first.stem().string(), number, first.extension().string());
  return path.string();
}

}  // namespace

std::string AttachPlan::who() const { return fmt::format("{} ({})", live.process.pid, name); }

namespace {

// With `pid` as it was typed, and modules as they were given.
Result<AttachPlan> plan_with(const std::string& pid, std::vector<PlannedModule> given, AttachPlan plan) {
  const auto number = whole_number(pid);
  constexpr uint64_t kMostPid = 1u << 22;
  if (!number || *number == 0 || *number > kMostPid)
    return Status::error(fmt::format("attach: '{}' is no process id; oriel ps lists the processes", pid));
  Result<std::vector<PlannedModule>> loaded = modules_to_load(std::move(given));
  if (!loaded) return loaded.status();
  plan.modules = std::move(*loaded);
  const Result<std::string> engine = find_engine();
  if (!engine) return engine.status();
  plan.engine = *engine;
  if (Status status = find_process(static_cast<pid_t>(*number), plan); !status) return status;
  return plan;
}

}  // namespace

Result<AttachPlan> plan_attach(const AttachOptions& options) {
  AttachPlan plan;
  if (!options.duration.empty()) {
    const Result<int64_t> ns = parse_duration(options.duration, "--for");
    if (!ns) return Status::error("attach: " + ns.message());
    plan.duration = milliseconds(*ns / 1'000'000);
  }
  Result<std::vector<PlannedModule>> given = options.built_in.given();
  if (!given) return given.status();
  plan.changes_code = option_that_changes_code(options, *given);
  Result<AttachPlan> made = plan_with(options.pid, std::move(*given), std::move(plan));
  if (!made) return made;
  const Result<std::string> log = log_path(options.output, made->name, made->live.process.pid);
  if (!log) return log.status();
  made->log = *log;
  return made;
}

Result<AttachPlan> plan_watching(const std::string& pid, const std::string& name, const std::string& log_options) {
  std::vector<PlannedModule> given;
  for (const modules::Command* command : settings::commands_of_run()) given.emplace_back(*command);
  if (Status status = given.front().read(log_options); !status) return status;
  AttachPlan plan;
  plan.log = "/" + name;  // its folder is the tool's choice
  return plan_with(pid, std::move(given), std::move(plan));
}

}  // namespace oriel::cli
