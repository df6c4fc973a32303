#include "report/hints/gc_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "log/event.h"
#include "profile/memory/gc_totals.h"
#include "profile/recorded.h"
#include "profile/work/category.h"
#include "profile/work/own_places.h"
#include "profile/work/uses.h"
#include "report/hints/heap_limit.h"
#include "report/words/more.h"
#include "report/words/shown_place.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Collection;
using profile::GcDetail;
using profile::GcTotals;
using profile::Profile;

namespace {

constexpr const char* kGcCommand = "oriel report gc";

// Collections by trigger, as far as logged.
struct ByTrigger {
  uint64_t told = 0;
  uint64_t limit = 0;  // the memory limit was reached
  int64_t limit_pause_ns = 0;
  uint64_t most_left = 0;  // largest heap left by one of these
  uint64_t full_told = 0;  // full collections that were not induced
  uint64_t full_large = 0;
};
ByTrigger by_trigger(const Profile& profile) {
  ByTrigger sums;
  for (const Collection& one : profile.collections) {
    if (!one.detail || one.detail->trigger == GcDetail::kNotReported) continue;
    ++sums.told;
    const std::string_view why = one.detail->trigger_name();
    const bool full = one.generation == profile::kOldestGeneration && !one.induced;
    sums.full_told += full;
    sums.full_large += full && why == "large-objects";
    if (why != "out-of-space" && why != "low-memory") continue;
    ++sums.limit;
    sums.limit_pause_ns += one.pause_ns;
    if (one.heap) sums.most_left = std::max(sums.most_left, one.heap->total());
  }
  return sums;
}

// Large object allocation triggers full collections.
std::optional<Hint> large_objects_hint(const Profile& profile, const GcTotals& totals, const ByTrigger& sums) {
  constexpr uint64_t kFew = 10;
  const auto oldest = totals.by_generation.find(profile::kOldestGeneration);
  if (oldest == totals.by_generation.end()) return std::nullopt;
  const uint64_t unasked = oldest->second.count - oldest->second.induced;
  if (unasked < kFew || unasked * 2 < totals.count || !is_significant_time(totals.pause_ns, profile))
    return std::nullopt;
  if (sums.full_large * 2 <= sums.full_told) return std::nullopt;  // also if no triggers are logged
  return Hint{
      "large-objects", 0,
      fmt::format("{} of {} collections were full collections, mostly triggered by large objects: arrays and strings "
                  "of 85,000 bytes or more. `oriel {}` shows where objects are allocated.",
                  count(unasked), count(totals.count),
                  profile.call_total().allocated > 0 ? "report alloc" : "run --alloc=sampled"),
      kGcCommand};
}

// Place of own code that induces collections; GC.Collect itself may be inlined into it.
std::string asked_in(const Profile& profile) {
  uint32_t caller = profile::own_place_calling("System.GC.Collect(", profile);
  if (caller == 0) caller = profile::own_place_asking_to_collect(profile);
  return caller == 0 ? "" : " in " + place_text(ShownPlaces(profile, Options()).of(caller), profile);
}

std::optional<Hint> induced_hint(const Profile& profile, const GcTotals& totals) {
  constexpr uint64_t kFew = 3;
  if (totals.induced < kFew || totals.induced * 5 < totals.count ||
      !is_significant_time(totals.induced_pause_ns, profile))
    return std::nullopt;
  return Hint{
      "induced-gc", 0,
      fmt::format("{} of {} collections ({} of pauses) were induced by GC.Collect{}. Without it, the runtime collects "
                  "when it is worthwhile.",
                  count(totals.induced), count(totals.count), duration(totals.induced_pause_ns), asked_in(profile)),
      kGcCommand};
}

std::optional<Hint> limit_hint(const Profile& profile, const ByTrigger& sums) {
  constexpr uint64_t kFew = 5;
  if (sums.limit < kFew || sums.limit * 2 < sums.told || !is_significant_time(sums.limit_pause_ns, profile))
    return std::nullopt;
  const std::string limit = heap_limit(profile).text;
  return Hint{"memory-limit", 0,
              fmt::format("{} of {} collections ({} of pauses) began because the memory available to the program was "
                          "full{}{}. {} less in memory.",
                          count(sums.limit), count(sums.told), duration(sums.limit_pause_ns),
                          limit.empty() ? "" : " (" + limit + ")",
                          sums.most_left == 0 ? "" : fmt::format("; they left up to {} in use", bytes(sums.most_left)),
                          limit.empty() ? "Keep" : "Raise the limit, or keep"),
              kGcCommand};
}

// For a heap that was full before the runtime could report triggers, which needs memory of that heap: judged by the
// sizes after collections.
std::optional<Hint> full_heap_hint(const Profile& profile, const ByTrigger& sums) {
  constexpr uint64_t kFew = 5, kFullPercent = 85;
  const HeapLimit limit = heap_limit(profile);
  if (limit.bytes == 0 || sums.told * 2 > profile.collections.size()) return std::nullopt;
  uint64_t full = 0;
  int64_t pause_ns = 0;
  for (const Collection& one : profile.collections) {
    if (one.induced || !one.heap || one.heap->total() / kFullPercent < limit.bytes / 100) continue;
    ++full;
    pause_ns += one.pause_ns;
  }
  if (full < kFew || full * 2 < profile.collections.size() || !is_significant_time(pause_ns, profile))
    return std::nullopt;
  return Hint{"memory-limit", 0,
              fmt::format("{} of {} collections ({} of pauses) left the heap nearly at its limit ({}). Raise the "
                          "limit, or keep less in memory.",
                          count(full), count(profile.collections.size()), duration(pause_ns), limit.text),
              kGcCommand};
}

// Methods that make handles, and what to do about them.
struct HandleMaker {
  std::string_view begins;
  const char* made;
  const char* advice;
};
constexpr const char* kFreeHandles =
    "Collections scan them until they are freed: free those that are no longer needed.";
constexpr HandleMaker kHandleMakers[] = {
    {"System.Runtime.CompilerServices.ConditionalWeakTable<", "entries of a ConditionalWeakTable",
     "Each is a handle until its key is collected: add fewer, or store the data in the object itself."},
    {"System.WeakReference", "weak references", "Each is a handle until it is collected itself: keep one per object."},
    {"System.Runtime.DependentHandle.", "DependentHandles", kFreeHandles},
    {"System.Runtime.InteropServices.GCHandle", "GCHandles", kFreeHandles},
};

// ", such as GCHandles made in Shop.Buffers.Send (Program.cs:122). Each is …"
std::string what_to_do_about_handles(const Profile& profile) {
  for (const HandleMaker& maker : kHandleMakers)
    if (const uint32_t caller = profile::own_place_calling(maker.begins, profile); caller != 0)
      return fmt::format(", such as {} created in {}. {}", maker.made,
                         place_text(ShownPlaces(profile, Options()).of(caller), profile), maker.advice);
  return fmt::format(". {}", kFreeHandles);
}

// Own code that repeatedly creates JsonSerializerOptions, each of which takes a handle.
uint32_t making_options(const Profile& profile) {
  constexpr uint64_t kPart = 50;
  const profile::UseTotals json = profile::uses(profile).at(static_cast<size_t>(profile::Use::kJsonMetadata));
  if (json.most_by == 0 || json.periods * kPart < profile::program_periods(profile)) return 0;
  return profile::own_place_in(json.most_by, profile::periods_of_use(profile::Use::kJsonMetadata, profile), profile);
}

// Every collection visits new handles, and all weak ones, whatever its generation.
std::optional<Hint> handles_hint(const Profile& profile, const GcTotals& totals) {
  constexpr uint32_t kMany = 10'000;
  constexpr int64_t kPartOfPauses = 5;
  // Upper bound for one handle in one collection. More time is spent on objects reachable from few handles, such as
  // those of statics.
  constexpr int64_t kEachNs = 200;
  uint32_t most = 0;
  int64_t explained_ns = 0;
  for (const Collection& one : profile.collections) {
    if (!one.detail || !one.detail->has_heap_counts) continue;
    most = std::max(most, one.detail->handles);
    explained_ns += one.detail->handles * kEachNs;
  }
  const int64_t ns = totals.phases[static_cast<size_t>(profile::GcPhase::kMarkHandles)];
  if (most < kMany || ns < totals.pause_ns / kPartOfPauses || !is_significant_time(ns, profile)) return std::nullopt;
  if (explained_ns < ns / 2) return std::nullopt;
  const std::string text = fmt::format("{} of GC pauses ({}) is scanning handles, of which there were up to {}",
                                       percent(static_cast<uint64_t>(ns), static_cast<uint64_t>(totals.pause_ns)),
                                       duration(ns), count(most));
  if (const uint32_t maker = making_options(profile); maker != 0)
    return Hint{"json-options", 0,
                fmt::format("{}. Each JsonSerializerOptions takes one until it is collected, and your code keeps "
                            "creating them, in {}: keep one in a static field.",
                            text, place_text(ShownPlaces(profile, Options()).of(maker), profile)),
                kGcCommand};
  return Hint{"handles", 0, text + what_to_do_about_handles(profile), kGcCommand};
}

}  // namespace

void add_gc_hints(const Profile& profile, std::vector<Hint>& to) {
  if (!profile::has_events(profile, "gc")) return;
  const GcTotals totals = profile::gc_totals(profile);
  const ByTrigger sums = by_trigger(profile);
  std::optional<Hint> limit = limit_hint(profile, sums);
  if (!limit) limit = full_heap_hint(profile, sums);
  // Causes are inserted, in order, before the hint about GC time.
  const auto add = [&](const std::optional<Hint>& hint) {
    if (hint) to.insert(std::ranges::find(to, "gc", &Hint::key), *hint);
  };
  add(limit);
  if (!limit) add(large_objects_hint(profile, totals, sums));
  std::optional<Hint> handles = handles_hint(profile, totals);
  // Handles go with the options, and so does their share of GC time.
  const bool told = handles && std::ranges::find(to, handles->key, &Hint::key) != to.end();
  if (!told) add(handles);
  if (handles && handles->key == "json-options") std::erase_if(to, [](const Hint& hint) { return hint.key == "gc"; });
  const std::optional<Hint> induced = induced_hint(profile, totals);
  add(induced);
  // Allocation is not the cause of induced collections.
  if (induced && totals.induced_pause_ns * 2 > totals.pause_ns)
    std::erase_if(to, [](const Hint& hint) { return hint.key == "gc"; });
}

}  // namespace oriel::report
