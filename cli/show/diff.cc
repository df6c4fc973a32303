#include "show/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "commands.h"
#include "report/diff.h"
#include "run/newest.h"
#include "show/read_log.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

using Runs = std::vector<std::vector<std::string>>;  // files by run

struct Sides {
  Runs before;
  Runs after;
};

bool has_file(const RunLogs& run, const std::string& file) {
  std::error_code error;
  return std::ranges::any_of(run.files(), [&](const auto& one) { return fs::equivalent(file, one, error); });
}

// The runs that arguments name: all runs in a folder, or the runs of files. Each log once.
Result<std::vector<RunLogs>> runs_of(const std::vector<std::string>& words) {
  std::vector<RunLogs> runs;
  std::vector<std::string> files;
  for (const std::string& word : each_file_once(words)) {
    std::error_code error;
    if (!fs::is_directory(word, error)) {
      files.push_back(word);
      continue;
    }
    const std::vector<RunLogs> found = runs_in(word);
    if (found.empty()) return Status::error(fmt::format("report diff: there is no log in '{}'", word));
    for (const RunLogs& run : found) runs.push_back(run.program_logs());
  }
  const auto is_in_a_folder = [&](const std::string& file) {
    return std::ranges::any_of(runs, [&](const RunLogs& run) { return has_file(run, file); });
  };
  std::erase_if(files, is_in_a_folder);
  std::ranges::move(runs_of_files(files), std::back_inserter(runs));
  return runs;
}

Runs files_of(const std::vector<RunLogs>& runs) {
  Runs files;
  for (const RunLogs& run : runs) files.push_back(run.files());
  return files;
}

// "Shop"; "" if it is not a log, which is reported when it is read.
std::string program_of(const RunLogs& run) {
  const RunLogs program_logs = run.program_logs();
  return program_logs.processes.empty() ? "" : program_logs.processes[0].name;
}

bool has_any_file_of(const RunLogs& run, const RunLogs& other) {
  return std::ranges::any_of(run.files(), [&](const std::string& file) { return has_file(other, file); });
}

// The default to compare a run with: the newest other run here of the same program.
Result<RunLogs> newest_beside(const RunLogs& run, const std::vector<RunLogs>& runs_here) {
  const std::string program = program_of(run);
  for (const RunLogs& other : runs_here)
    if ((program.empty() || program_of(other) == program) && !has_any_file_of(other, run)) return other.program_logs();
  return Status::error(fmt::format(
      "report diff: there is no other log of {} here to compare '{}' with; run it again, or name two: oriel "
      "report diff BEFORE AFTER",
      program.empty() ? "a program" : program, run.files()[0]));
}

Result<Sides> two_newest() {
  const std::vector<RunLogs> runs = runs_in(".");
  if (runs.empty())
    return Status::error(
        "report diff: there is no log here, but two are needed; run the program, or name two: oriel report diff BEFORE "
        "AFTER");
  const Result<RunLogs> before = newest_beside(runs[0], runs);
  if (!before) return before.status();
  return Sides{{before->files()}, {runs[0].program_logs().files()}};
}

Result<Sides> with_newest(const std::string& before) {
  const Result<std::vector<RunLogs>> runs = runs_of({before});
  if (!runs) return runs.status();
  const Result<RunLogs> after = newest_beside(runs->front(), runs_in("."));
  if (!after) return after.status();
  return Sides{files_of(*runs), {after->files()}};
}

Result<Sides> sides_of(const std::vector<std::string>& words) {
  if (words.empty()) return two_newest();
  if (words.size() == 1) return with_newest(words[0]);
  const auto between = std::ranges::find(words, "vs");
  if (between == words.end() && words.size() > 2) {
    return Status::error(
        "report diff: which logs are before, and which after? write vs between them: oriel report diff BEFORE… vs "
        "AFTER…");
  }
  const auto middle = between == words.end() ? words.begin() + 1 : between;
  const auto before = runs_of({words.begin(), middle});
  const auto after = runs_of({between == words.end() ? middle : middle + 1, words.end()});
  if (!before || !after) return before ? after.status() : before.status();
  if (before->empty() || after->empty()) return Status::error("report diff: name logs on both sides of vs");
  return Sides{files_of(*before), files_of(*after)};
}

// `any_method`: an error until a run has the filter's method. A method may exist in one version only.
Result<report::DiffSide> read_side(const Runs& runs, const profile::Filter& filter, const report::Options& options,
                                   Status& any_method) {
  report::DiffSide side;
  profile::Filter of_all = filter;
  of_all.method.clear();
  for (const std::vector<std::string>& files : runs) {
    Result<profile::Profile> profile = read_logs(files, of_all);
    if (!profile) return profile.status();
    profile::Filter of_method = profile->filter;  // with the times of the log's own marks
    of_method.method = filter.method;
    const Status has_method = profile::check_matches(of_method, *profile);
    if (!any_method) any_method = has_method;
    if (!filter.method.empty()) profile::apply(of_method, *profile);
    report::add_run(*profile, options, side);
    side.files.insert(side.files.end(), files.begin(), files.end());
  }
  return side;
}

}  // namespace

Status write_diff(const std::vector<std::string>& words, const profile::Filter& filter,
                  const report::Options& options) {
  const Result<Sides> sides = sides_of(words);
  if (!sides) return sides.status();
  Status any_method = Status::error("");
  const Result<report::DiffSide> before = read_side(sides->before, filter, options, any_method);
  if (!before) return before.status();
  const Result<report::DiffSide> after = read_side(sides->after, filter, options, any_method);
  if (!after) return after.status();
  if (!any_method) return any_method;
  return report::write_diff(*before, *after, options, std::cout);
}

}  // namespace oriel::cli
