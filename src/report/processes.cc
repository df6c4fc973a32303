// The processes of a command, and what each took.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "log/properties.h"
#include "profile/build/process.h"
#include "profile/recorded.h"
#include "profile/state_name.h"
#include "profile/work/processors.h"
#include "report/processes.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Process;
using profile::Profile;

namespace {

constexpr size_t kProcessRows = 60;
constexpr size_t kNoProcess = SIZE_MAX;

struct Placed {
  size_t process = 0;  // index into processes
  size_t parent = kNoProcess;
  size_t depth = 0;
};

// The nearest ancestor that has a log too.
size_t parent_of(const Process& process, const std::vector<Process>& all) {
  for (const uint64_t pid : process.parents) {
    const auto found = std::ranges::find_if(
        all, [&](const Process& other) { return &other != &process && other.pid == pid && other.run == process.run; });
    if (found != all.end()) return static_cast<size_t>(found - all.begin());
  }
  return kNoProcess;
}

// Children after their parent, siblings by start. Processes in a cycle, which only a forged log has, come last.
std::vector<Placed> as_tree(const std::vector<Process>& all) {
  std::vector<size_t> parents, order;
  for (size_t i = 0; i < all.size(); ++i) {
    parents.push_back(parent_of(all[i], all));
    order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](size_t i) { return all[i].start_ns; });
  std::vector<Placed> placed;
  std::vector<bool> done(all.size());
  const std::function<void(size_t, size_t)> place = [&](size_t process, size_t depth) {
    done[process] = true;
    placed.push_back({process, depth == 0 ? kNoProcess : parents[process], depth});
    for (const size_t child : order)
      if (parents[child] == process && !done[child]) place(child, depth + 1);
  };
  for (const size_t process : order)
    if (parents[process] == kNoProcess) place(process, 0);
  for (const size_t process : order)
    if (!done[process]) place(process, 0);
  return placed;
}

const char* state_words(profile::LogState state) {
  switch (state) {
    case profile::LogState::kComplete:
      return "";
    case profile::LogState::kRunning:
      return ", still running";
    case profile::LogState::kStopped:
      return ", killed, crashed or called _exit";
    case profile::LogState::kUnknown:
      break;
  }
  return ", without an end";
}

std::string names_of(const std::vector<Process>& processes, const std::vector<bool>& which) {
  std::vector<std::string> names;
  for (size_t i = 0; i < processes.size(); ++i)
    if (which[i]) names.push_back(clean(process_label(processes[i])));
  return fmt::format("{}", fmt::join(names, ", "));
}

void write_row(const Placed& placed, const Profile& profile, Table& table) {
  const Process& process = profile.processes[placed.process];
  const uint64_t whole = profile.total_periods();
  const std::string text = std::string(2 * std::min<size_t>(placed.depth, 10), ' ') + clean(process_label(process)) +
                           state_words(process.state) + "  " + clean(process.command);
  table.add(
      {percent_cell(process.periods, whole), time_cell(process.periods, profile),
       process.cpu_us == 0 ? "–" : duration(static_cast<int64_t>(process.cpu_us * 1000)), duration(process.wall_ns),
       moment(process.start_ns)},
      [text](size_t width) { return cut_end(text, width); }, share(process.periods, whole));
}

void write_processes(const Profile& profile, const Options& options, std::ostream& out) {
  const std::vector<Process>& all = profile.processes;
  write_title(counted(all.size(), "process", "processes"), profile, options, out);
  const std::vector<Placed> placed = as_tree(all);
  const size_t shown = std::min(rows(options, kProcessRows), placed.size());
  Table table({{"share"}, {"time"}, {"CPU"}, {"wall"}, {"began"}}, "process");
  for (size_t i = 0; i < shown; ++i) write_row(placed[i], profile, table);
  table.write(out, options.width, 0, Style(options.color));
  const std::vector<bool> meant = profile::user_processes(all);
  if (std::ranges::find(meant, false) != meant.end())
    write_note("The program: " + names_of(all, meant) + "; the others are the .NET SDK's.", options, out);
  if (shown < placed.size())
    write_note("And " + counted(placed.size() - shown, "more process", "more processes") + ".", options, out);
}

void add_processes_json(const Profile& profile, const Options&, Json& json) {
  json["samples"] = profile.total_periods();
  json["processes"] = processes_json(profile);
}

}  // namespace

std::string processes_text(const Profile& profile) {
  constexpr size_t kShown = 5;
  if (profile.processes.size() < 2) return "";
  std::vector<Process> processes = profile.processes;
  std::ranges::stable_sort(processes, std::greater<>(), &Process::periods);
  const uint64_t whole = profile.total_periods();
  std::vector<std::string> parts;
  for (size_t i = 0; i < std::min(kShown, processes.size()); ++i)
    parts.push_back(whole == 0 ? clean(process_label(processes[i]))
                               : percent(processes[i].periods, whole) + " " + clean(process_label(processes[i])));
  if (processes.size() > kShown) parts.push_back(counted(processes.size() - kShown, "other", "others"));
  return fmt::format("{}: {}", count(processes.size()), fmt::join(parts, ", "));
}

std::optional<Hint> children_hint(const Profile& profile) {
  if (profile.filter.has_time()) return std::nullopt;  // the log has only the sum of the whole run
  const std::optional<profile::CpuTime> own = profile::cpu_time(profile);
  if (!own || profile.processes.size() > 1 || profile::property(profile.intro, log::property::kChildren))
    return std::nullopt;
  // The system counts the copies of the process that snapshots of the heap are made of among the children.
  if (!profile.heap_snapshots.empty()) return std::nullopt;
  const int64_t theirs = profile::time_counted(profile, log::counter::kChildrenCpu, 1000);
  const int64_t its = static_cast<int64_t>(own->program_us()) * 1000;
  if (theirs <= its || !is_significant_time(theirs, profile)) return std::nullopt;
  return Hint{"children", 0,
              fmt::format("Its child processes took {} of CPU time, the program itself {}. They are not in this log: "
                          "oriel run --children writes a log for each .NET child process.",
                          duration(theirs), duration(its)),
              ""};
}

Json processes_json(const Profile& profile) {
  Json json = Json::array();
  const std::vector<bool> meant = profile::user_processes(profile.processes);
  for (const Placed& placed : as_tree(profile.processes)) {
    const Process& process = profile.processes[placed.process];
    json.push_back({{"file", process.file},
                    {"name", process.name},
                    {"command", process.command},
                    {"pid", process.pid},
                    {"parent", placed.parent == kNoProcess ? Json() : Json(profile.processes[placed.parent].pid)},
                    {"meant", static_cast<bool>(meant[placed.process])},
                    {"state", profile::state_name(process.state)},
                    {"start_ns", process.start_ns},
                    {"wall_ns", process.wall_ns},
                    {"cpu_us", process.cpu_us == 0 ? Json() : Json(process.cpu_us)},
                    {"samples", process.periods}});
  }
  return json;
}

extern const Report kProcessesReport = {
    .name = "processes",
    .help = "the processes of several logs as a tree, with what each took",
    .text = write_processes,
    .json = add_processes_json,
    .of_processes = true,
};

}  // namespace oriel::report
