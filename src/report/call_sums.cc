#include "report/call_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "log/properties.h"
#include "profile/functions.h"
#include "profile/recorded.h"
#include "profile/work/category.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::AllocationTotals;
using profile::CallSums;
using profile::MethodCalls;
using profile::Profile;

namespace {

constexpr size_t kTypesInText = 5;
constexpr size_t kTypeInText = 40;
constexpr size_t kMethodInText = 60;
constexpr int64_t kLeastShareOfWaits = 50;  // 2 % of all time
constexpr int64_t kLeastShareOfProbes = 100;
constexpr unsigned kRoomForAll = 96;  // columns

bool waits_matter(const Profile& profile) {
  const CallSums sums = profile::sum_calls(profile);
  return sums.waited_ns > sums.self_ns / kLeastShareOfWaits;
}

// "; 45.0 % of the bytes in Shop.Cart.Add(int)"; "" unless own methods are known to have made most of them.
std::string most_allocating_text(const Profile& profile, uint64_t whole) {
  std::map<uint32_t, uint64_t> bytes_in;
  uint64_t own = 0;
  for (const AllocationTotals& entry : profile::allocations_by_site(profile, profile::AttributeTo::kOwn)) {
    if (!profile::is_own(profile.functions[entry.site], profile)) continue;
    bytes_in[entry.site] += entry.bytes;
    own += entry.bytes;
  }
  if (own == 0 || own < whole / 2) return "";
  const auto most = std::ranges::max_element(bytes_in, {}, [](const auto& entry) { return entry.second; });
  return fmt::format("; {} of the bytes in {}", percent(most->second, whole),
                     fit_name(profile.functions[most->first].name, kMethodInText));
}

}  // namespace

void write_method_table(std::span<const MethodCalls> methods, int64_t whole_ns, const Profile& profile,
                        const Options& options, std::ostream& out) {
  const bool thrown = std::any_of(methods.begin(), methods.end(), [](const auto& m) { return m.by_exception > 0; });
  const bool recursive = std::any_of(methods.begin(), methods.end(), [](const auto& m) { return m.recursive; });
  const bool waits = waits_matter(profile);
  // All these columns would leave no room for names on a narrow line.
  const bool crowded = options.width < kRoomForAll && thrown + recursive + waits > 1;
  const bool exceptions = thrown && !crowded;
  const bool longest = !profile.call_total().aggregated && !crowded;
  std::vector<Table::Column> columns = {{"self"}, {""}, {"total"}};
  if (waits) columns.push_back({"cpu"});
  columns.push_back({"calls"});
  if (recursive) columns.push_back({"outer"});
  columns.push_back({"average"});
  if (longest) columns.push_back({"longest"});
  if (exceptions) columns.push_back({"thrown"});
  Table table(std::move(columns), "method");
  for (const MethodCalls& method : methods) {
    std::vector<std::string> cells = {percent_cell(positive(method.self_ns), positive(whole_ns)),
                                      method.self_ns == 0 ? "" : duration(method.self_ns), duration(method.total_ns)};
    if (waits) cells.push_back(duration(method.total_ns - method.waited_ns));
    cells.push_back(count(method.calls));
    if (recursive) cells.push_back(count(method.outermost));
    cells.push_back(method.average_ns ? duration(*method.average_ns) : "");
    if (longest) cells.push_back(method.longest_ns > 0 ? duration(method.longest_ns) : "");
    if (exceptions) cells.push_back(method.by_exception > 0 ? count(method.by_exception) : "");
    const profile::Function& function = profile.functions[method.function];
    table.add(
        std::move(cells), [&function](size_t width) { return fit_function(function, width); },
        share(positive(method.self_ns), positive(whole_ns)));
  }
  table.write(out, options.width, 0, Style(options.color));
  if (recursive)
    write_note("For recursive methods, total and average count only their outermost calls (outer).", options, out);
  if (std::ranges::any_of(methods, [](const MethodCalls& method) { return method.pieces > 0; }))
    write_note(
        "Calls of async methods are whole calls, from start to completion; self is the time they ran on threads.",
        options, out);
  else if (std::ranges::any_of(methods,
                               [&](const auto& m) { return profile::is_move_next(profile.functions[m.function]); }))
    write_note(
        "Each resumption of an async method or iterator counts as a call; with --async too, async calls count as a "
        "whole.",
        options, out);
  if (waits) write_note("cpu: the part of the total in which the thread had a processor.", options, out);
}

std::string calls_text(const Profile& profile) {
  const CallSums sums = profile::sum_calls(profile);
  std::vector<bool> called(profile.functions.size());
  std::vector<bool> calling(profile.threads.size());
  for (size_t i = 1; i < profile.call_nodes.size(); ++i) {
    const profile::CallFigures& figures = profile.call_figures[i];
    if (figures.calls == 0) continue;
    called[profile.call_nodes[i].function] = true;
    calling[figures.thread] = true;
  }
  const auto methods = static_cast<uint64_t>(std::count(called.begin(), called.end(), true));
  const auto threads = static_cast<uint64_t>(std::count(calling.begin(), calling.end(), true));
  // The sum of several threads' times is more than the run's.
  const bool several = threads > 1 || profile.call_total().aggregated;
  return fmt::format("{} {} of {}, {} {}", rounded_count(sums.calls), sums.calls == 1 ? "call" : "calls",
                     counted(methods, "method", "methods"), duration(sums.self_ns),
                     several ? "over all threads" : "in them");
}

// Calls still running at the end are not lost: their time so far is counted.
std::string running_text(const Profile& profile) {
  const uint64_t running = profile::sum_calls(profile).running;
  if (running == 0) return "";
  std::vector<bool> on(profile.threads.size());
  for (const profile::CallFigures& figures : profile.call_figures)
    if (figures.running > 0) on[figures.thread] = true;
  const auto threads = static_cast<uint64_t>(std::count(on.begin(), on.end(), true));
  return fmt::format("{} still running at the end, on {}", counted(running, "call", "calls"),
                     counted(threads, "thread", "threads"));
}

std::string probes_took(const Profile& profile) {
  const CallSums sums = profile::sum_calls(profile);
  const int64_t probes = sums.measured_ns - sums.self_ns;
  if (probes <= sums.measured_ns / kLeastShareOfProbes) return "";
  return fmt::format("took about {} of {}", duration(probes), duration(sums.measured_ns));
}

std::string probes_text(const Profile& profile) {
  const std::string took = probes_took(profile);
  const char* what = profile::imported_from(profile).empty() ? "Probes " : "Measuring ";
  return took.empty() ? "" : what + took + ", which is subtracted from all times.";
}

std::string instrumented_text(const Profile& profile) {
  constexpr std::string_view kPrefix = log::counter::kInstrumentation;
  uint64_t done = 0;
  uint64_t refused = 0;
  std::vector<std::string> reasons;
  for (const profile::Counter& counter : profile.counters) {
    if (!counter.name.starts_with(kPrefix)) continue;
    const std::string what = clean(counter.name.substr(kPrefix.size()));
    if (what == "instrumented") {
      done = counter.count;
    } else if (counter.count > 0) {
      refused += counter.count;
      reasons.push_back(fmt::format("{} {}", count(counter.count), what));
    }
  }
  if (done == 0 && refused == 0) return "";
  std::string text = counted(done, "method body", "method bodies") + " instrumented";
  const auto trivial = std::find_if(
      profile.counters.begin(), profile.counters.end(),
      [](const profile::Counter& counter) { return counter.name == log::counter::kCallsTrivial && counter.count > 0; });
  if (trivial != profile.counters.end())
    text +=
        fmt::format("; {} left out (--calls-trivial)", counted(trivial->count, "trivial method", "trivial methods"));
  if (refused > 0) text += fmt::format(", {} not: {}", count(refused), fmt::join(reasons, ", "));
  return text;
}

std::vector<std::string> unpaired_sentences(const Profile& profile) {
  const profile::CallTotal calls = profile.call_total();
  std::vector<std::string> result;
  if (calls.gaps > 0 && calls.lost_events == 0)
    result.push_back(fmt::format("The log is damaged: {} lost calls there, and the callers of later ones are unknown.",
                                 counted(calls.gaps, "thread", "threads")));
  else if (calls.gaps > 0)
    result.push_back(fmt::format("{} of calls and allocations were lost at {}: the callers of later calls are unknown.",
                                 counted(calls.lost_events, "event", "events"),
                                 counted(calls.gaps, "place", "places")));
  if (calls.without_leave > 0)
    result.push_back(fmt::format(
        "The end of {} was not recorded: {} with the caller or thread, or where events were lost.",
        counted(calls.without_leave, "call", "calls"), calls.without_leave == 1 ? "it ended" : "they ended"));
  if (calls.without_enter > 0)
    result.push_back(fmt::format("The start of {} was not recorded: {} not counted.",
                                 counted(calls.without_enter, "call", "calls"),
                                 calls.without_enter == 1 ? "it is" : "they are"));
  if (calls.folded > 0)
    result.push_back(fmt::format(
        "{} and allocations are not counted: they are too deep, or there are too many different call paths.",
        counted(calls.folded, "call", "calls")));
  return result;
}

Json call_sums_json(const Profile& profile) {
  const CallSums sums = profile::sum_calls(profile);
  const profile::CallTotal calls = profile.call_total();
  return {{"calls", sums.calls},
          {"self_ns", sums.self_ns},
          {"measured_ns", sums.measured_ns},
          {"waited_ns", sums.waited_ns},
          {"running", sums.running},
          {"without_enter", calls.without_enter},
          {"without_leave", calls.without_leave},
          {"gaps", calls.gaps},
          {"lost_events", calls.lost_events},
          {"not_counted", calls.folded}};
}

Json method_json(const MethodCalls& method, const Profile& profile) {
  Json json = {{"calls", method.calls},         {"outermost", method.outermost},
               {"self_ns", method.self_ns},     {"measured_self_ns", method.measured_self_ns},
               {"waited_ns", method.waited_ns}, {"total_ns", method.total_ns},
               {"recursive", method.recursive}};
  json["average_ns"] = method.average_ns ? Json(*method.average_ns) : Json();
  if (!profile.call_total().aggregated) json["longest_ns"] = method.longest_ns;
  json["by_exception"] = method.by_exception;
  json["running"] = method.running;
  if (method.pieces > 0) json["pieces"] = method.pieces;
  add_function(json, profile.functions[method.function]);
  return json;
}

bool is_estimate(const profile::CallSums& sums) { return sums.allocation_samples > 0; }

std::string allocation_sums_text(const profile::CallSums& sums) {
  std::string all = fmt::format("{} {}", rounded_count(sums.objects), sums.objects == 1 ? "object" : "objects");
  if (sums.bytes > 0) all += ", " + bytes(sums.bytes);
  if (!is_estimate(sums)) return all;
  return fmt::format("sampled: {} for about {}",
                     sums.allocation_samples == 1 ? "1 sample stands"
                                                  : counted(sums.allocation_samples, "sample", "samples") + " stand",
                     all);
}

std::string allocations_text(const Profile& profile) {
  const profile::CallSums sums = profile::sum_calls(profile);
  const std::vector<AllocationTotals> types = profile::allocations_by_type(profile);
  std::vector<std::string> parts;
  for (size_t i = 0; i < std::min(kTypesInText, types.size()); ++i)
    parts.push_back((sums.bytes > 0 ? bytes(types[i].bytes) : count(types[i].objects)) + " " +
                    fit_name(profile.functions[types[i].type].name, kTypeInText));
  if (types.size() > kTypesInText) parts.push_back(counted(types.size() - kTypesInText, "other type", "other types"));
  if (parts.empty()) return allocation_sums_text(sums);
  return fmt::format("{}: {}{}", allocation_sums_text(sums), fmt::join(parts, ", "),
                     most_allocating_text(profile, sums.bytes));
}

Json allocation_sums_json(const Profile& profile) {
  const profile::CallSums sums = profile::sum_calls(profile);
  const bool estimated = profile.call_total().allocation_samples > 0;
  Json json = {{"objects", sums.objects}, {"bytes", sums.bytes}, {"estimated", estimated}};
  if (estimated) json["samples"] = sums.allocation_samples;
  if (estimated) json["at_random"] = !profile::samples_allocations_in_turn(profile);
  return json;
}

}  // namespace oriel::report
