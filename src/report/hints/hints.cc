#include "report/hints/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "profile/recorded.h"
#include "profile/trees/call_tree.h"
#include "profile/work/category.h"
#include "profile/work/own_places.h"
#include "profile/work/uses.h"
#include "report/hints/boxing_only.h"
#include "report/hints/cause_hints.h"
#include "report/hints/code_hints.h"
#include "report/hints/consequences.h"
#include "report/hints/gc_hints.h"
#include "report/hints/start_hints.h"
#include "report/hints/wait_hints.h"
#include "report/memory/staying.h"
#include "report/processes.h"
#include "report/processors.h"
#include "report/waiting/requests.h"
#include "report/waiting/waits.h"
#include "report/words/function_name.h"
#include "report/words/heap_text.h"
#include "report/words/more.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Category;
using profile::Profile;
using profile::Use;

namespace {

// In texts, {0} is the share, {1} the time, {2} ", most of it for METHOD" (an own method) or "", {3} a text that
// depends on more of the log.
struct CategoryHint {
  Category kind;
  const char* key;
  double least;
  const char* text;
};
constexpr CategoryHint kByCategory[] = {
    {Category::kPgo, "pgo", 0.10,
     "{0} ({1}) is PGO instrumentation (tier-1 instrumented code). A program that runs for only a few seconds is "
     "faster without it: DOTNET_TieredPGO=0, or <TieredPGO>false</TieredPGO> in its project."},
    // These thresholds are high, because a healthy cache or queue spends much time here.
    {Category::kGc, "gc", 0.25, "{0} ({1}) is the garbage collector.{3}"},
    {Category::kAllocation, "allocation", 0.20, "{0} ({1}) is allocation{2}.{3}"},
    {Category::kSuspension, "suspension", 0.05, "{0} ({1}) is the runtime stopping the program's threads."},
};

struct UseHint {
  Use kind;
  const char* key;
  double least;
  const char* text;
};
constexpr UseHint kByUse[] = {
    {Use::kRegexMaking, "regex-made", 0.05,
     "{0} ({1}) is constructing regular expressions{2}. Construct each once and keep it in a static field, or use "
     "[GeneratedRegex].{3}"},
    {Use::kRegexMatching, "regex", 0.10,
     "{0} ({1}) is matching regular expressions{2}.{3} Nested quantifiers, as in (a+)+, backtrack excessively: rewrite "
     "the pattern without them."},
    {Use::kJsonMetadata, "json-options", 0.10,
     "{0} ({1}) is System.Text.Json building type metadata{2}. It does so once for each JsonSerializerOptions: keep "
     "one in a static field."},
    {Use::kReflection, "reflection", 0.10,
     "{0} ({1}) is reflection{2}. Look members up once and cache them, as delegates if they are called often."},
    {Use::kConcatenation, "concatenation", 0.10,
     "{0} ({1}) is string concatenation{2}. Each + copies both operands; a StringBuilder does not."},
    {Use::kCulture, "culture", 0.10,
     "{0} ({1}) is culture-sensitive string comparison{2}. Where culture does not matter, StringComparison.Ordinal is "
     "far cheaper, as is StringComparer.Ordinal for sorting."},
    {Use::kEquality, "struct-equality", 0.10,
     "{0} ({1}) is comparing or hashing structs field by field{2}: the struct does not override Equals and "
     "GetHashCode. A record struct does."},
    {Use::kLocks, "locks-taken", 0.20, "{0} ({1}) is acquiring and releasing locks, contended or not{2}.{3}"},
    {Use::kLinq, "linq", 0.15, "{0} ({1}) is LINQ itself, without your lambdas{2}. A plain loop avoids its calls."},
    {Use::kLogFormatting, "log-formatting", 0.10,
     "{0} ({1}) is formatting log messages{2}. Check first whether the level is enabled, or use [LoggerMessage]."},
    {Use::kFormatting, "formatting", 0.20,
     "{0} ({1}) is formatting values as strings{2}. If they are for a log, check first whether its level is enabled, "
     "or use [LoggerMessage]."},
    {Use::kDatabase, "database", 0.40,
     "{0} ({1}) is database queries{2}. `oriel run --activities` shows which queries they are, how often each runs per "
     "request, and how long it takes."},
    {Use::kBoxing, "boxing", 0.10,
     "{0} ({1}) is boxing value types{2}. Generic collections and methods avoid it: List<int> instead of ArrayList, a "
     "type parameter instead of object."},
    {Use::kLargeMemory, "page-faults", 0.10,
     "{0} ({1}) is page faults: the kernel maps memory when it is first touched{2}. If that is a large buffer "
     "allocated each time, keep one, or rent it from ArrayPool<T>.Shared."},
    {Use::kExceptions, "exceptions", 0.05,
     "{0} ({1}) is throwing exceptions{2}. `oriel report exceptions` shows which."},
};

// "METHOD (FILE:LINE)"
std::string place_of(uint32_t function, const std::vector<uint64_t>& periods, const Profile& profile) {
  const ShownPlace place = ShownPlaces(profile, Options()).of(profile::own_place_in(function, periods, profile));
  const std::string line = place.line.text.empty() ? "" : " (" + place.line.text + ")";
  return fit_function(profile.functions[function], 60) + line;
}

// ", most of it for METHOD (FILE:LINE)"; "" if function is 0.
std::string by_text(uint32_t function, const std::vector<uint64_t>& periods, const Profile& profile) {
  return function == 0 ? "" : ", most of it for " + place_of(function, periods, profile);
}

std::vector<uint64_t> periods_of(Category category, const Profile& profile) {
  const std::vector<Category> of_node = profile::node_categories(profile);
  std::vector<uint64_t> periods = profile.samples.by_node();
  for (size_t i = 0; i < periods.size(); ++i)
    if (of_node[i] != category) periods[i] = 0;
  return periods;
}
std::vector<uint64_t> periods_of(Use use, const Profile& profile) {
  return use == Use::kBoxing ? periods_of_boxing(profile) : profile::periods_of_use(use, profile);
}

// Hints with details in another report. Others refer to the lines of the own method with most of it.
struct HintReport {
  std::string_view key;
  const char* report;
};
constexpr HintReport kReportOfHint[] = {
    {"pgo", "shares"},
    {"suspension", "shares"},
    {"gc", "gc"},
    {"exceptions", "exceptions"},
};

std::string command_of(std::string_view key, uint32_t function, const Profile& profile) {
  if (key == "allocation" && profile.call_total().allocated > 0) return "oriel report alloc";
  const auto* row = std::ranges::find(kReportOfHint, key, &HintReport::key);
  if (row != std::end(kReportOfHint)) return fmt::format("oriel report {}", row->report);
  if (function == 0) return "oriel report shares";
  return lines_command(profile.functions[function]);
}

const char* learn_what_is_allocated(const Profile& profile) {
  return profile.call_total().allocated > 0 ? "" : " `oriel run --alloc=sampled` shows what is allocated where.";
}

// " Most is allocated for Cache.Load(int) (Cache.cs:12)."; "" if not known.
std::string most_allocated(const Profile& profile) {
  constexpr uint64_t kFewest = 10;
  for (const profile::CategoryTotals& totals : profile::category_totals(profile)) {
    if (totals.category != Category::kAllocation || totals.periods < kFewest || totals.most_by == 0) continue;
    const std::vector<uint64_t> periods = periods_of(Category::kAllocation, profile);
    return " Most is allocated for " + place_of(totals.most_by, periods, profile) + ".";
  }
  return "";
}

// Whether more than half of these periods, by node, are in such functions or what they call.
template <typename Is>
bool are_mostly_in(Is is, const std::vector<uint64_t>& periods, const Profile& profile) {
  const std::vector<bool> below = profile::nodes_below(is, profile);
  uint64_t all = 0, in = 0;
  for (size_t i = 1; i < periods.size(); ++i) {
    all += periods[i];
    if (below[i]) in += periods[i];
  }
  return in > all / 2;
}

const char* what_to_do_about_locks(const std::vector<uint64_t>& periods, const Profile& profile) {
  const auto counts = [](const profile::Function& function) {
    return function.name.starts_with("System.Collections.Concurrent.ConcurrentDictionary<") &&
           (function.name.find(".get_Count(") != std::string::npos ||
            function.name.find(".AcquireAllLocks(") != std::string::npos);
  };
  return are_mostly_in(counts, periods, profile)
             ? " Count, Keys and Values of a ConcurrentDictionary take all of its locks."
             : " Take the lock around a loop, not inside it.";
}

const char* what_to_do_about_patterns(const std::vector<uint64_t>& periods, const Profile& profile) {
  const auto interprets = [](const profile::Function& function) {
    return function.name.starts_with("System.Text.RegularExpressions.RegexInterpreter.");
  };
  return are_mostly_in(interprets, periods, profile)
             ? " Most of that interprets them: use [GeneratedRegex] or RegexOptions.Compiled to compile them."
             : "";
}

const char* what_to_know_of_static_methods(const std::vector<uint64_t>& periods, const Profile& profile) {
  const auto looks_up = [](const profile::Function& function) {
    return function.name.starts_with("System.Text.RegularExpressions.RegexCache.");
  };
  return are_mostly_in(looks_up, periods, profile)
             ? " Regex's static methods cache the last 15 patterns (Regex.CacheSize)."
             : "";
}

std::string what_more_is_said(std::string_view key, const std::vector<uint64_t>& periods, const Profile& profile) {
  if (key == "gc") return most_allocated(profile) + learn_what_is_allocated(profile);
  if (key == "regex-made") return what_to_know_of_static_methods(periods, profile);
  if (key == "locks-taken") return what_to_do_about_locks(periods, profile);
  if (key == "regex") return what_to_do_about_patterns(periods, profile);
  return learn_what_is_allocated(profile);
}

// A sentence about a growing heap and what stays in it; "" if growth is likely part of the work: in a short run, unless
// own code is known to allocate or retain what stays and it is not a set.
std::string growth_to_ask_about(const Profile& profile) {
  constexpr int64_t kLong = 60'000'000'000;
  const std::string sentence = heap_growth_sentence(profile);
  if (sentence.empty()) return "";
  const bool is_long = profile.wall_ns >= kLong;
  if (!is_long && !is_own_to_take_out(profile)) return "";
  const std::string stays = staying_sentence(profile);
  return sentence + (stays.empty() ? learn_what_is_allocated(profile) : stays);
}

// Adds the hint of a table's row, of either table, if enough remains after the `told` periods that other hints cover.
// Returns whether it was added.
template <typename Row, typename Totals>
bool add_if_much(const Row& row, const Totals& totals, uint64_t told, const Profile& profile, std::vector<Hint>& to) {
  const uint64_t whole = profile::program_periods(profile);
  const double part = share(totals.periods, whole);
  const uint64_t left = totals.periods - std::min(told, totals.periods);
  if (share(left, whole) < row.least || !are_significant_samples(left, profile)) return false;
  const std::vector<uint64_t> periods = periods_of(row.kind, profile);
  to.push_back({row.key, part,
                fmt::format(fmt::runtime(row.text), percent(totals.periods, whole), time_of(totals.periods, profile),
                            by_text(totals.most_by, periods, profile), what_more_is_said(row.key, periods, profile)),
                command_of(row.key, totals.most_by, profile)});
  return true;
}

// PGO instrumentation pays off in long-running programs: without it they lose a quarter of their throughput.
bool ends_soon(const Profile& profile) {
  constexpr int64_t kSoon = 30'000'000'000;
  constexpr uint64_t kFewSeconds = 30'000'000;  // of CPU time, in microseconds
  const std::optional<profile::CpuTime> cpu = profile::cpu_time(profile);
  if (profile.state != profile::LogState::kComplete || profile.wall_ns > kSoon) return false;
  if (cpu && cpu->program_us() > kFewSeconds) return false;
  const auto serves = [](const profile::Function& function) {
    return function.module.starts_with("Microsoft.AspNetCore.Server") ||
           function.module.starts_with("Microsoft.Extensions.Hosting") ||
           function.name.starts_with("System.Net.HttpListener.");
  };
  return std::ranges::none_of(profile.functions, serves);
}

// Whether the own method writes to a log, which is when formatting may be for nothing.
bool writes_to_log(uint32_t function, const Profile& profile) {
  constexpr std::string_view kLogs[] = {"Microsoft.Extensions.Logging", "Serilog", "NLog", "log4net"};
  const std::vector<uint32_t> nearest = profile::nearest_own(profile);
  for (size_t i = 0; i < profile.nodes.size(); ++i) {
    const profile::Function& one = profile.functions[profile.nodes[i].function];
    const auto is_of = [&](std::string_view log) { return one.module.starts_with(log); };
    if (nearest[i] == function && std::ranges::any_of(kLogs, is_of)) return true;
  }
  return false;
}

void add_categories(const HintedUses& told, const Profile& profile, std::vector<Hint>& to) {
  for (const profile::CategoryTotals& totals : profile::category_totals(profile)) {
    const auto* row = std::ranges::find(kByCategory, totals.category, &CategoryHint::kind);
    if (totals.category == Category::kPgo && !ends_soon(profile)) continue;
    if (row != std::end(kByCategory)) add_if_much(*row, totals, told.periods(totals.category), profile, to);
  }
}

// Returns the uses that got hints.
std::vector<Use> add_uses(const Profile& profile, std::vector<Hint>& to) {
  std::vector<Use> told;
  for (profile::UseTotals totals : profile::uses(profile)) {
    if (totals.use == Use::kBoxing && totals.periods > 0) totals = boxing_totals(profile);
    const auto* row = std::ranges::find(kByUse, totals.use, &UseHint::kind);
    // Nobody can change what frameworks do on their own.
    if (totals.most_by == 0) continue;
    if (totals.use == Use::kFormatting && !writes_to_log(totals.most_by, profile)) continue;
    // Repeated commands get a hint with requests, if the log has those.
    if (totals.use == Use::kDatabase && !profile.activities.empty()) continue;
    if (row != std::end(kByUse) && add_if_much(*row, totals, 0, profile, to)) told.push_back(totals.use);
  }
  return told;
}

void add_debug_build(const Profile& profile, std::vector<Hint>& to) {
  constexpr double kLeast = 0.05;
  const uint64_t whole = profile::program_periods(profile);
  uint64_t in_it = 0;
  if (profile.unoptimized.empty()) return;
  for (const profile::FunctionTotals& totals : profile::function_totals(profile)) {
    const profile::Function& function = profile.functions[totals.function];
    if (function.managed && profile.unoptimized.contains(function.module)) in_it += totals.self;
  }
  if (const double part = share(in_it, whole); part >= kLeast && are_significant_samples(in_it, profile))
    to.push_back({"debug-build", part,
                  fmt::format("{} ({}) is in unoptimized code, from a Debug build. Measure what you ship: dotnet build "
                              "-c Release, dotnet run -c Release.",
                              percent(in_it, whole), time_of(in_it, profile)),
                  "oriel report top"});
}

}  // namespace

bool is_significant_time(int64_t ns, const Profile& profile) {
  constexpr int64_t kLeast = 200'000'000, kOfRun = 50;
  return ns >= kLeast && ns >= profile.wall_ns / kOfRun;
}

bool are_significant_samples(uint64_t periods, const Profile& profile) {
  constexpr uint64_t kFewest = 10;
  return periods >= kFewest && is_significant_time(ns_of(periods, profile), profile);
}

std::vector<Hint> hints(const Profile& profile) {
  constexpr ptrdiff_t kMost = 4;
  std::vector<Hint> all;
  if (profile.total_periods() > 0) {
    const std::vector<Use> told = add_uses(profile, all);
    add_categories(HintedUses(told, profile), profile, all);
    add_debug_build(profile, all);
    add_start_hints(profile, all);
    drop_consequences(all);
  }
  std::ranges::stable_sort(all, std::greater<>(), &Hint::share);
  // A hint about code comes before one about the PGO setting.
  std::stable_partition(all.begin(), all.end(), [](const Hint& hint) { return hint.key != "pgo"; });
  add_gc_hints(profile, all);
  if (const std::string sentence = growth_to_ask_about(profile); !sentence.empty())
    all.insert(all.begin(), {"heap-growth", 0, sentence, "oriel report heap"});
  std::vector<Hint> waits;
  add_wait_hints(profile, waits);
  add_cause_hints(profile, waits);
  add_code_hints(profile, waits);
  add_request_hints(profile, waits);
  // Objects waiting for finalizers explain the growth of the heap.
  if (std::ranges::find(waits, "finalizers", &Hint::key) != waits.end())
    std::erase_if(all, [](const Hint& hint) { return hint.key == "heap-growth"; });
  if (std::optional<Hint> hint = children_hint(profile)) waits.insert(waits.begin(), std::move(*hint));
  all.insert(all.begin(), waits.begin(), waits.end());
  // Heaviest first among hints about the program; a limit comes before them.
  if (std::optional<Hint> hint = processors_hint(profile))
    all.insert(hint->is_limit ? all.begin() : all.begin() + std::min<ptrdiff_t>(std::ssize(all), kMost - 1),
               std::move(*hint));
  all.resize(static_cast<size_t>(std::min(std::ssize(all), kMost)));
  return all;
}

Json hints_json(const Profile& profile) {
  Json json = Json::array();
  for (const Hint& hint : hints(profile))
    json.push_back({{"hint", hint.key}, {"share", hint.share}, {"text", hint.text}, {"command", hint.command}});
  return json;
}

}  // namespace oriel::report
