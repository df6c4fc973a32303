#include "run/newest.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "commands.h"
#include "intro.h"
#include "profile/build/process.h"
#include "run/log_files.h"
#include "show/callgraph_file.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

struct Found {
  profile::Process process;
  int64_t start_unix_us = 0;
};

std::optional<Found> look_at(const std::string& file) {
  const std::optional<log::Intro> intro = read_intro(file);
  if (!intro) return std::nullopt;
  Found found{profile::process_of(*intro), static_cast<int64_t>(intro->clock.unix_us)};
  found.process.file = file;
  return found;
}

RunLogs as_run(std::vector<Found> logs) {
  std::ranges::stable_sort(logs, {}, &Found::start_unix_us);
  RunLogs run;
  for (Found& log : logs) run.processes.push_back(std::move(log.process));
  if (!logs.empty()) run.start_unix_us = logs[0].start_unix_us;
  return run;
}

// The logs in a folder, without call graphs beside logs.
std::vector<Found> logs_in(const std::string& folder) {
  std::vector<Found> logs;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string path = folder == "." ? entry.path().filename().string() : entry.path().string();
    if (!path.ends_with(".oriel") || !entry.is_regular_file(error) || stands_beside_log(path)) continue;
    if (std::optional<Found> log = look_at(path)) logs.push_back(std::move(*log));
  }
  return logs;
}

// Newest first.
std::vector<RunLogs> by_run(std::vector<Found> logs) {
  std::map<std::string, std::vector<Found>> named;
  for (Found& log : logs) {
    // A log without a run's name is a run of its own; names of runs have no slash.
    const std::string name = log.process.run.empty() ? "/" + log.process.file : log.process.run;
    named[name].push_back(std::move(log));
  }
  std::vector<RunLogs> runs;
  for (auto& [name, of_run] : named) runs.push_back(as_run(std::move(of_run)));
  std::ranges::stable_sort(runs, std::greater<>(), &RunLogs::start_unix_us);
  return runs;
}

std::string names_of(const std::vector<profile::Process>& processes) {
  constexpr size_t kShown = 4;
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(kShown, processes.size()); ++i) names.push_back(processes[i].file);
  if (processes.size() > kShown) names.push_back(fmt::format("{} more", processes.size() - kShown));
  return fmt::format("{}", fmt::join(names, ", "));
}

// Says which logs were chosen, and what else the run has.
std::string newest_sentence(const RunLogs& run, const RunLogs& shown) {
  const std::string names = names_of(shown.processes);
  if (shown.processes.size() == run.processes.size())
    return fmt::format("{}: {}", shown.processes.size() == 1 ? "the newest log" : "the newest logs, of one run", names);
  return fmt::format("{}: {}; of the same run, by the SDK: {} (oriel report processes)",
                     shown.processes.size() == 1 ? "the newest log" : "the newest logs", names,
                     run.processes.size() - shown.processes.size());
}

Result<std::vector<std::string>> newest_logs(const std::string& command, const std::string& folder,
                                             bool all_processes) {
  const std::vector<RunLogs> runs = runs_in(folder);
  if (runs.empty()) {
    const bool of_coverage = command.find("cover") != std::string::npos;
    return Status::error(fmt::format("{}: there is no log {}; name one, or record one: oriel {}", command,
                                     folder == "." ? "here" : "in '" + folder + "'",
                                     of_coverage ? "cover -- dotnet test" : "run -- dotnet Shop.dll"));
  }
  const RunLogs shown = all_processes ? runs[0] : runs[0].program_logs();
  say(newest_sentence(runs[0], shown));
  return shown.files();
}

}  // namespace

std::vector<std::string> RunLogs::files() const {
  std::vector<std::string> files;
  for (const profile::Process& process : processes) files.push_back(process.file);
  return files;
}

RunLogs RunLogs::program_logs() const {
  const std::vector<bool> which = profile::user_processes(processes);
  RunLogs result{{}, start_unix_us};
  for (size_t i = 0; i < processes.size(); ++i)
    if (which[i]) result.processes.push_back(processes[i]);
  return result;
}

bool RunLogs::of_sdk_alone() const {
  return std::ranges::any_of(processes, profile::starts_another) &&
         std::ranges::all_of(processes, &profile::Process::sdk);
}

std::vector<std::string> each_file_once(const std::vector<std::string>& files) {
  std::vector<std::string> once;
  std::set<std::pair<dev_t, ino_t>> seen;
  std::set<std::string> told;
  for (const std::string& file : files) {
    struct stat about {};
    if (stat(file.c_str(), &about) != 0 || seen.emplace(about.st_dev, about.st_ino).second)
      once.push_back(file);
    else if (told.insert(file).second)
      say(fmt::format("{} is named more than once; it is read once", file));
  }
  return once;
}

std::vector<RunLogs> runs_of_files(const std::vector<std::string>& files) {
  std::vector<Found> logs;
  for (const std::string& file : each_file_once(files)) {
    std::optional<Found> log = look_at(file);
    logs.push_back(log ? std::move(*log) : Found());
    logs.back().process.file = file;
  }
  return by_run(std::move(logs));
}

bool is_of_another_run(const std::string& file, const std::string& run) {
  const std::optional<Found> log = look_at(file);
  return log && !log->process.run.empty() && log->process.run != run;
}

std::vector<RunLogs> runs_in(const std::string& folder) { return by_run(logs_in(folder)); }

Result<std::vector<std::string>> chosen_logs(const std::string& command, const std::vector<std::string>& words,
                                             bool all_processes) {
  if (words.empty()) return newest_logs(command, ".", all_processes);
  std::vector<std::string> logs;
  for (const std::string& word : words) {
    std::error_code error;
    if (!fs::is_directory(word, error)) {
      logs.push_back(word);
      continue;
    }
    Result<std::vector<std::string>> newest = newest_logs(command, word, all_processes);
    if (!newest) return newest;
    logs.insert(logs.end(), newest->begin(), newest->end());
  }
  return each_file_once(logs);
}

}  // namespace oriel::cli
