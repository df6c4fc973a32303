#include "report/common.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profile/cpu_time.h"
#include "profile/intro.h"
#include "profile/losses.h"
#include "profile/recorded.h"
#include "report/function_name.h"
#include "report/text.h"
#include "report/units.h"

namespace oriel::report {

using profile::Profile;

int64_t time_ns_of(uint64_t periods, const Profile& profile) {
  if (profile.sampling_hz == 0) return 0;
  return std::llround(static_cast<double>(periods) * 1e9 / profile.sampling_hz);
}

std::string time_of(uint64_t periods, const Profile& profile) {
  return profile.sampling_hz == 0 ? "" : duration(time_ns_of(periods, profile));
}

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

uint64_t least_total(uint64_t whole, const Options& options) {
  return static_cast<uint64_t>(std::ceil(static_cast<double>(whole) * options.min_share));
}

std::string filter_sentence(const Profile& profile, profile::Unit unit) {
  const profile::Filter& filter = profile.filter;
  std::vector<std::string> parts;
  if (!filter.thread.empty()) parts.push_back(fmt::format("thread \"{}\"", clean(filter.thread)));
  if (!filter.method.empty()) parts.push_back(fmt::format("stacks with \"{}\"", clean(filter.method)));
  if (filter.from_ns > 0) parts.push_back("from " + moment(filter.from_ns));
  if (filter.to_ns != INT64_MAX) parts.push_back("until " + moment(filter.to_ns));
  if (parts.empty()) return "";
  if (unit != profile::Unit::kPeriods) return fmt::format("Only {}.", fmt::join(parts, ", "));
  const uint64_t kept = profile.total_periods();
  return fmt::format("Only {}: {} of {} samples ({}).", fmt::join(parts, ", "), count(kept),
                     count(profile.unfiltered_periods), percent(kept, profile.unfiltered_periods));
}

std::string not_recorded(const Profile& profile, std::string_view group) {
  if (profile::has_events(profile, group)) return "";
  if (profile::is_call_graph(profile))
    return "Not recorded: this is a call graph; oriel run --callgraph --sample writes a log beside it.";
  const std::string* events = profile::property(profile.intro, "events");
  return fmt::format("Not recorded: of events this log has only those of --module log:events={}.", clean(*events));
}

std::string unfiltered_sentence(const Profile& profile) {
  if (filter_sentence(profile).empty()) return "";
  return "Of the whole log: filters choose samples, calls, allocations and collections only.";
}

std::string thread_names(const Profile& profile) {
  constexpr size_t kShown = 8;
  std::vector<std::string> names;
  for (const profile::Thread& thread : profile.threads) names.push_back(thread_label(thread));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const size_t more = names.size() > kShown ? names.size() - kShown : 0;
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string why_no_samples(const Profile& profile) {
  if (profile.unfiltered_periods > 0) {
    std::string text =
        fmt::format("No samples left: none of {} is what the filter asks for.", count(profile.unfiltered_periods));
    if (!profile.filter.thread.empty()) text += " The threads are " + thread_names(profile) + ".";
    if (profile.filter.from_ns > profile.wall_ns) text += fmt::format(" The log covers {}.", moment(profile.wall_ns));
    return text;
  }
  if (profile::is_call_graph(profile))
    return "No samples: this is a call graph, calls counted in the program (oriel report callgraph).";
  if (profile.sampling_mode == "none") return "No samples: the program was run without sampling (--no-sample).";
  if (const uint64_t lost = profile::lost_samples(profile); lost > 0)
    return fmt::format("No samples: all {} were lost.", count(lost));
  const bool real = profile.sampling_mode == "real";
  const std::optional<profile::CpuTime> cpu = profile::cpu_time(profile);
  const auto used = static_cast<int64_t>(cpu ? cpu->program_us() * 1000 : 0);
  const int64_t spent = real ? profile.wall_ns : used;
  const int64_t period = profile.sampling_hz == 0 ? 0 : 1'000'000'000 / profile.sampling_hz;
  const char* when = profile.outcome.ended ? "" : " up to the end of this log";
  const char* option = real ? "--sample-real" : "--sample";
  if (spent <= period)
    return fmt::format(
        "No samples: the program {}{} shorter than one sampling period of {}; try a higher rate, {}=1000.",
        real ? "ran" : "used the processor", when, duration(period), option);
  return fmt::format(
      "No samples: no thread {} long enough for one{} ({} in all, a period is {}); try a higher rate, "
      "{}=1000.",
      real ? "lived" : "used the processor", when, duration(spent), duration(period), option);
}

std::vector<std::string> incomplete_sentences(const Profile& profile) {
  std::vector<std::string> result;
  const std::string span = duration(profile.wall_ns);
  switch (profile.state) {
    case profile::LogState::kComplete:
      break;
    case profile::LogState::kRunning:
      result.push_back(fmt::format("The program still runs: this is what its first {} left in the log.", span));
      break;
    case profile::LogState::kStopped:
      result.push_back(
          fmt::format("The program was killed or crashed: the last that was written is of {} after its start.", span));
      break;
    case profile::LogState::kUnknown:
      result.push_back(
          fmt::format("The log stops after {} without an end: the program still runs, or was killed.", span));
      break;
  }
  const log::DecodeOutcome& outcome = profile.outcome;
  if (outcome.torn_bytes > 0 && profile.state != profile::LogState::kRunning)
    result.push_back(
        fmt::format("The last {} of the file are no whole block and were left out.", bytes(outcome.torn_bytes)));
  if (outcome.corrupt_blocks > 0)
    result.push_back(fmt::format("{} corrupt and skipped: what {} held is missing.",
                                 counted(outcome.corrupt_blocks, "block is", "blocks are"),
                                 outcome.corrupt_blocks == 1 ? "it" : "they"));
  return result;
}

namespace {

// "a buffer was full", or with counts if there are several: "7 a buffer was full, 2 the thread or the program had
// ended".
std::string reasons_of(const profile::Loss& loss) {
  if (loss.reasons.size() == 1) return clean(loss.reasons[0].words);
  std::vector<std::string> parts;
  for (const profile::LostReason& reason : loss.reasons)
    parts.push_back(fmt::format("{} {}", count(reason.count), clean(reason.words)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string what_of(const profile::Loss& loss) {
  switch (loss.what) {
    case profile::LostWhat::kSamples:
      return counted(loss.count, "sample", "samples");
    case profile::LostWhat::kCallers:
      return "outer callers of " + counted(loss.count, "stack", "stacks");
    case profile::LostWhat::kEvents:
      return counted(loss.count, "event", "events");
    case profile::LostWhat::kCallEvents:
      break;
  }
  return counted(loss.count, "event", "events") + " of calls and allocations";
}

}  // namespace

std::vector<std::string> loss_sentences(const Profile& profile) {
  std::vector<std::string> result;
  for (const profile::Loss& loss : profile::losses(profile)) {
    const std::string share = loss.of > 0 ? fmt::format(", {} of all", percent(loss.count, loss.of)) : "";
    result.push_back(fmt::format("{}{}: {}", what_of(loss), share, reasons_of(loss)));
  }
  return result;
}

void write_title(std::string_view title, const Profile& profile, const Options& options, std::ostream& out,
                 profile::Unit unit) {
  const Style style(options.color);
  out << style.bold(cut_end(title, options.width)) << '\n';
  if (const std::string kept = filter_sentence(profile, unit); !kept.empty()) write_note(kept, options, out);
  for (const std::string& sentence : incomplete_sentences(profile)) write_note(sentence, options, out);
  out << '\n';
}

void write_note(std::string_view text, const Options& options, std::ostream& out) {
  out << Style(options.color).dim(wrap(text, options.width, ""));
}

const char* state_name(profile::LogState state) {
  switch (state) {
    case profile::LogState::kComplete:
      return "complete";
    case profile::LogState::kRunning:
      return "running";
    case profile::LogState::kStopped:
      return "stopped";
    case profile::LogState::kUnknown:
      break;
  }
  return "unknown";
}

Json json_head(const Report& report, const Profile& profile) {
  Json json = {{"report", report.name}, {"file", profile.file}, {"state", state_name(profile.state)}};
  const profile::Filter& filter = profile.filter;
  if (filter_sentence(profile).empty()) return json;
  Json& kept = json["filter"] = Json::object();
  if (!filter.thread.empty()) kept["thread"] = filter.thread;
  if (!filter.method.empty()) kept["method"] = filter.method;
  if (filter.from_ns > 0) kept["from_ns"] = filter.from_ns;
  if (filter.to_ns != INT64_MAX) kept["to_ns"] = filter.to_ns;
  return json;
}

void add_function(Json& json, const profile::Function& function) {
  json["name"] = function.name;
  if (!function.raw_name.empty()) json["raw_name"] = function.raw_name;
  if (!function.module.empty()) json["module"] = function.module;
  json["managed"] = function.managed;
}

Json totals_json(const profile::FunctionTotals& totals, const Profile& profile, uint64_t whole) {
  Json json = {{"self", totals.self},
               {"total", totals.total},
               {"self_share", share(totals.self, whole)},
               {"total_share", share(totals.total, whole)}};
  add_function(json, profile.functions[totals.function]);
  return json;
}

}  // namespace oriel::report
