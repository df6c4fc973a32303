#include "report/words/notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "log/properties.h"
#include "profile/build/process.h"
#include "profile/recorded.h"
#include "profile/work/losses.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;

namespace {

// A call graph does not tell when its calls were made.
FilteredBy filtered_by(FilteredBy by, const Profile& profile) {
  if (profile::is_call_graph(profile)) by.time = false;
  return by;
}

// Of the filter, "thread "main"", "from 1.500 s", and so on.
std::vector<std::string> kept_parts(const profile::Filter& filter, FilteredBy by) {
  std::vector<std::string> parts;
  if (by.thread && !filter.thread.empty()) parts.push_back(fmt::format("thread \"{}\"", clean(filter.thread)));
  if (by.method && !filter.method.empty()) parts.push_back(fmt::format("stacks with \"{}\"", clean(filter.method)));
  const auto of_mark = [](const std::string& mark) {
    return mark.empty() ? "" : fmt::format(" (mark \"{}\")", clean(mark));
  };
  if (by.time && filter.from_ns > 0) parts.push_back("from " + moment(filter.from_ns) + of_mark(filter.from_mark));
  if (by.time && filter.to_ns != INT64_MAX) parts.push_back("until " + moment(filter.to_ns) + of_mark(filter.to_mark));
  return parts;
}

// " The filter for threads does not apply here."; "" if all of it does.
std::string not_applied_sentence(const profile::Filter& filter, FilteredBy by) {
  std::vector<std::string_view> parts;
  if (!by.thread && !filter.thread.empty()) parts.push_back("threads");
  if (!by.method && !filter.method.empty()) parts.push_back("methods");
  if (!by.time && filter.has_time()) parts.push_back("times");
  if (parts.empty()) return "";
  return fmt::format(" The filter for {} does not apply here.", fmt::join(parts, " and "));
}

}  // namespace

std::string filter_sentence(const Profile& profile, profile::Unit unit, FilteredBy by) {
  by = filtered_by(by, profile);
  const std::vector<std::string> parts = kept_parts(profile.filter, by);
  const std::string others = not_applied_sentence(profile.filter, by);
  if (parts.empty()) return others.empty() ? "" : "Covers the whole log." + others;
  if (unit != profile::Unit::kPeriods || !others.empty())
    return fmt::format("Only {}.", fmt::join(parts, ", ")) + others;
  const uint64_t kept = profile.total_periods();
  return fmt::format("Only {}: {} of {} samples ({}).", fmt::join(parts, ", "), count(kept),
                     count(profile.unfiltered_periods), percent(kept, profile.unfiltered_periods));
}

bool is_part(const Profile& profile, FilteredBy by) {
  return !kept_parts(profile.filter, filtered_by(by, profile)).empty();
}

namespace {

void add_incomplete_process(const Profile& profile, std::vector<std::string>& sentences) {
  const std::string span = duration(profile.wall_ns);
  const uint64_t late_ms = profile::began_late_ms(profile);
  const std::string late = late_ms == 0 ? ""
                                        : fmt::format(", from {} after the program's start",
                                                      duration(static_cast<int64_t>(late_ms) * 1'000'000));
  switch (profile.state) {
    case profile::LogState::kComplete:
      break;
    case profile::LogState::kRunning:
      sentences.push_back(profile::recorder_seconds(profile) != 0
                              ? fmt::format("The program is still running: its flight recorder holds {}.", span)
                              : fmt::format("The program is still running: the log covers {} so far{}.", span, late));
      break;
    case profile::LogState::kStopped:  // which of these it was, the log does not have
      if (profile::recorder_seconds(profile) != 0) {
        sentences.push_back(
            fmt::format("This is what the flight recorder left of a process that was killed, crashed or called _exit: "
                        "its last {}.",
                        span));
        break;
      }
      sentences.push_back(fmt::format(
          "The program was killed, crashed or called _exit, or the file was cut: the log ends {} after its start.",
          span));
      break;
    case profile::LogState::kUnknown:
      sentences.push_back(
          fmt::format("The log stops after {} without an end: the program is still running, or was killed.", span));
      break;
  }
}

// Names the processes that were killed, or still run.
void add_incomplete_processes(const Profile& profile, std::vector<std::string>& sentences) {
  const auto add = [&](std::initializer_list<profile::LogState> states, std::string_view what) {
    constexpr size_t kShown = 4;
    std::vector<std::string> names;
    for (const profile::Process& process : profile.processes)
      if (std::ranges::find(states, process.state) != states.end()) names.push_back(clean(process_label(process)));
    const size_t all = names.size();
    names.resize(std::min(all, kShown));
    if (all > kShown) names.push_back(counted(all - kShown, "other", "others"));
    if (all > 0) sentences.push_back(fmt::format("{}: {}.", what, fmt::join(names, ", ")));
  };
  add({profile::LogState::kRunning}, "Still running");
  add({profile::LogState::kStopped}, "Killed, crashed or called _exit, so the end of their logs may be missing");
  add({profile::LogState::kUnknown}, "Without an end: still running, or killed");
}

}  // namespace

std::vector<std::string> incomplete_sentences(const Profile& profile) {
  std::vector<std::string> result;
  profile.processes.size() > 1 ? add_incomplete_processes(profile, result) : add_incomplete_process(profile, result);
  if (const std::string* cut = profile::property(profile.intro, log::property::kImportedCut))
    result.push_back(clean(*cut) + ".");
  const log::DecodeOutcome& outcome = profile.outcome;
  if (outcome.torn_bytes > 0 && profile.state != profile::LogState::kRunning)
    result.push_back(
        fmt::format("The last {} of the file are an incomplete block and were ignored.", bytes(outcome.torn_bytes)));
  if (outcome.corrupt_blocks > 0)
    result.push_back(fmt::format("{} corrupt and skipped: the data {} held is missing.",
                                 counted(outcome.corrupt_blocks, "block is", "blocks are"),
                                 outcome.corrupt_blocks == 1 ? "it" : "they"));
  return result;
}

namespace {

// "a buffer was full", or with counts if there are several: "7 a buffer was full, 2 the thread exited".
std::string reasons_of(const profile::Loss& loss) {
  if (loss.reasons.size() == 1) return clean(loss.reasons[0].words);
  std::vector<std::string> parts;
  for (const profile::LostReason& reason : loss.reasons)
    parts.push_back(fmt::format("{} {}", count(reason.count), clean(reason.words)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string what_of(const profile::Loss& loss) {
  switch (loss.what) {
    case profile::LossKind::kSamples:
      return counted(loss.count, "sample", "samples");
    case profile::LossKind::kCallers:
      return counted(loss.count, "stack", "stacks") + " truncated";
    case profile::LossKind::kEvents:
      return counted(loss.count, "event", "events");
    case profile::LossKind::kCalls:
      return counted(loss.count, "enter or leave", "enters and leaves") + " of calls";
    case profile::LossKind::kAllocations:
      return counted(loss.count, "allocation", "allocations");
    case profile::LossKind::kCallEvents:
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
                 profile::Unit unit, FilteredBy by) {
  const Style style(options.color);
  out << style.bold(cut_end(title, options.width)) << '\n';
  if (const std::string kept = filter_sentence(profile, unit, by); !kept.empty()) write_note(kept, options, out);
  for (const std::string& sentence : incomplete_sentences(profile)) write_note(sentence, options, out);
  out << '\n';
}

void write_note(std::string_view text, const Options& options, std::ostream& out) {
  out << Style(options.color).dim(wrap(text, options.width, ""));
}

}  // namespace oriel::report
