#include "show/read_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "base/text/time_text.h"
#include "commands.h"
#include "profile/load_each.h"
#include "report/words/notes.h"
#include "report/words/units.h"
#include "show/progress.h"

namespace oriel::cli {
namespace {

// "reading run.oriel".
std::string reading(const std::vector<std::string>& files) {
  return files.size() == 1 ? "reading " + files[0] : fmt::format("reading {} logs", files.size());
}

}  // namespace

void add_selection(CLI::App& command, Selection& selection) {
  constexpr const char* kGroup = "Filters";
  command.add_option("--thread", selection.thread, "Threads whose name contains this, or with this OS id")
      ->type_name("THREAD")
      ->group(kGroup);
  command
      .add_option("--from", selection.from,
                  "From this time after the start: 1.5, 1.5s, 300ms; or from a mark: mark:TEXT")
      ->type_name("TIME")
      ->group(kGroup);
  command.add_option(selection.to_option, selection.to, "Up to this time after the start, or a mark")
      ->type_name("TIME")
      ->group(kGroup);
  command.add_option("--method", selection.method, "Stacks with a frame whose name contains this")
      ->type_name("NAME")
      ->group(kGroup);
  command
      .add_flag("--physical-stacks", selection.physical,
                "Logs of --async: show samples under their threads' own stacks, not under the methods that await them")
      ->group(kGroup);
  command
      .add_flag("--idle", selection.idle,
                "Where waits are shown, and in samples of real time: also threads that wait for work")
      ->group(kGroup);
}

Result<int64_t> parse_duration(const std::string& text, const std::string& option) {
  const Result<std::chrono::nanoseconds> time = parse_time(text);
  if (!time) return Status::error(fmt::format("{} {}: {}", option, text, time.message()));
  return time->count();
}

// A time, or "mark:TEXT".
Status read_time(const std::string& text, const std::string& option, int64_t& ns, std::string& mark) {
  constexpr std::string_view kMark = "mark:";
  if (text.empty()) return Status::ok();
  if (text.starts_with(kMark)) {
    mark = text.substr(kMark.size());
    return mark.empty() ? Status::error(option + " mark: names no mark") : Status::ok();
  }
  const Result<int64_t> time = parse_duration(text, option);
  if (!time) return time.status();
  ns = *time;
  return Status::ok();
}

Result<profile::Filter> to_filter(const Selection& selection) {
  profile::Filter filter;
  filter.thread = selection.thread;
  filter.method = selection.method;
  filter.idle = selection.idle;
  filter.physical = selection.physical;
  Status status = read_time(selection.from, "--from", filter.from_ns, filter.from_mark);
  if (status) status = read_time(selection.to, selection.to_option, filter.to_ns, filter.to_mark);
  if (!status) return status;
  if (filter.from_ns > filter.to_ns)
    return Status::error(fmt::format("--from is after {}: no time is left; swap them", selection.to_option));
  return filter;
}

uint64_t bytes_of(const std::vector<std::string>& files) {
  uint64_t all = 0;
  for (const std::string& file : files) {
    std::error_code unknown;
    const uint64_t size = std::filesystem::file_size(file, unknown);
    if (!unknown) all += size;
  }
  return all;
}

Result<profile::Profile> read_logs(const std::vector<std::string>& files, const profile::Filter& filter) {
  Progress progress(reading(files));
  return profile::load(files, filter, [&progress](uint64_t done, uint64_t total) { progress.update(done, total); });
}

Result<std::vector<profile::Profile>> read_each_log(const std::vector<std::string>& files,
                                                    const profile::Filter& filter) {
  Progress progress(reading(files));
  return profile::load_each(files, filter,
                            [&progress](uint64_t done, uint64_t total) { progress.update(done, total); });
}

void say_incomplete(const profile::Profile& profile, const std::string& name) {
  for (const std::string& sentence : report::incomplete_sentences(profile))
    say((name.empty() ? "" : name + ": ") + sentence);
}

void say_times_within(const profile::Profile& profile) {
  if (profile.sample_window_ns == 0) return;
  say(fmt::format("The log has very many samples: their times are to within {}, and closer with --from and --to.",
                  report::duration(profile.sample_window_ns)));
}

}  // namespace oriel::cli
