#include "profile/collections.h"

#include <algorithm>

#include "oriel/oriel.h"

namespace oriel::profile {
namespace {

bool concerns(uint32_t event) {
  switch (event) {
    case oriel_event_gc_begin:
    case oriel_event_gc_end:
    case oriel_event_gc_marked:
    case oriel_event_gc_phases:
    case oriel_event_gc_heap:
    case oriel_event_suspend_begin:
    case oriel_event_suspend_end:
    case oriel_event_suspend_aborted:
    case oriel_event_resume_end:
    case log::Event::kGcStart:
    case log::Event::kGcEnd:
      return true;
    default:
      return false;
  }
}

bool is_gc(const Pause& pause) { return pause.reason == ORIEL_SUSPEND_GC || pause.reason == ORIEL_SUSPEND_GC_PREPARE; }

// What the event of the collection's number tells.
void add_heap(const GcRecord& record, Collection& collection) {
  // No heap is that large: sums of what a corrupt log claims are not to overflow.
  constexpr uint64_t kMost = uint64_t{1} << 56;
  if (collection.number != record.values[0]) return;
  collection.heap.emplace();
  for (size_t i = 0; i < HeapSizes::kParts; ++i) collection.heap->bytes[i] = std::min(record.values[i + 1], kMost);
}

}  // namespace

Collection* collection_of(const Pause& pause, std::vector<Collection>& collections) {
  const int64_t end = pause.start_ns + pause.ns;
  const auto after =
      std::upper_bound(collections.begin(), collections.end(), end,
                       [](int64_t ns, const Collection& collection) { return ns < collection.start_ns; });
  // Only a concurrent collection can be far back, and of these one at a time runs.
  constexpr ptrdiff_t kReach = 1000;
  const auto first = after - std::min(kReach, after - collections.begin());
  for (auto at = after; at != first;) {
    --at;
    if (at->end_ns < 0 || at->end_ns >= pause.start_ns) return &*at;
  }
  return nullptr;
}

bool Collections::add(uint32_t thread, const log::Event& event) {
  if (!concerns(event.number)) return false;
  GcRecord& record = records_.emplace_back(GcRecord{event.counter, event.number, thread, {}});
  std::ranges::copy(event.values, record.values);
  return true;
}

void Collections::finish(const ClockMap& clock, Profile& profile) {
  std::stable_sort(records_.begin(), records_.end(),
                   [](const GcRecord& a, const GcRecord& b) { return a.counter < b.counter; });
  match_collections(clock, profile);
  match_pauses(clock, profile);
  add_gc_phases(records_, clock, profile);
}

void Collections::match_collections(const ClockMap& clock, Profile& profile) const {
  std::vector<size_t> open;  // indexes of collections that have not ended
  const auto close = [&](const GcRecord& record, auto is_it) {
    for (size_t i = open.size(); i-- > 0;) {
      Collection& collection = profile.collections[open[i]];
      if (!is_it(collection)) continue;
      collection.end_ns = clock.ns(record.counter);
      // Version 1's runtimes stop the program for the whole of a collection and do not log it apart.
      if (record.event == log::Event::kGcEnd) collection.pause_ns = collection.end_ns - collection.start_ns;
      open.erase(open.begin() + static_cast<ptrdiff_t>(i));
      return;
    }
  };
  for (const GcRecord& record : records_) {
    Collection collection;
    collection.start_ns = clock.ns(record.counter);
    switch (record.event) {
      case oriel_event_gc_heap:
        for (const size_t i : open) add_heap(record, profile.collections[i]);
        continue;
      case oriel_event_gc_begin:
        collection.number = static_cast<uint32_t>(record.values[0]);
        collection.generation = static_cast<uint32_t>(record.values[1]);
        collection.induced = record.values[2] == ORIEL_GC_REASON_INDUCED;
        break;
      case log::Event::kGcStart:
        collection.number = static_cast<uint32_t>(profile.collections.size() + 1);
        collection.generation = static_cast<uint32_t>(record.values[0]);
        break;
      case oriel_event_gc_end:
        close(record, [&](const Collection& c) { return c.number == record.values[0]; });
        continue;
      case log::Event::kGcEnd:
        close(record, [&](const Collection& c) { return c.generation == record.values[0]; });
        continue;
      default:
        continue;
    }
    open.push_back(profile.collections.size());
    profile.collections.push_back(collection);
  }
}

void Collections::match_pauses(const ClockMap& clock, Profile& profile) const {
  int64_t stopped = -1;  // since when the runtime has been stopping threads
  for (const GcRecord& record : records_) {
    const int64_t now = clock.ns(record.counter);
    if (record.event == oriel_event_suspend_begin) stopped = now;
    if (record.event == oriel_event_suspend_aborted) stopped = -1;
    if (record.event != oriel_event_resume_end) continue;
    Pause pause;
    pause.reason = record.values[0];
    const auto paused = static_cast<int64_t>(std::min<uint64_t>(record.values[1], static_cast<uint64_t>(now)));
    pause.start_ns = stopped >= 0 ? stopped : now - paused;
    pause.ns = paused > 0 ? paused : now - pause.start_ns;
    stopped = -1;
    profile.pauses.push_back(pause);
  }
  std::stable_sort(profile.pauses.begin(), profile.pauses.end(),
                   [](const Pause& a, const Pause& b) { return a.start_ns < b.start_ns; });
  for (const Pause& pause : profile.pauses) {
    Collection* collection = is_gc(pause) ? collection_of(pause, profile.collections) : nullptr;
    if (collection) collection->pause_ns += pause.ns;
  }
}

GcTotals gc_totals(const Profile& profile) {
  GcTotals totals;
  for (const Collection& collection : profile.collections) {
    GcTotals::Generation& generation = totals.by_generation[collection.generation];
    ++totals.count;
    ++generation.count;
    totals.induced += collection.induced;
    generation.induced += collection.induced;
    totals.pause_ns += collection.pause_ns;
    generation.pause_ns += collection.pause_ns;
    for (size_t i = 0; i < kGcPhases; ++i) {
      totals.phases[i] += collection.phases[i];
      generation.phases[i] += collection.phases[i];
    }
    generation.longest_ns = std::max(generation.longest_ns, collection.pause_ns);
    if (collection.pause_ns <= totals.longest_ns) continue;
    totals.longest_ns = collection.pause_ns;
    totals.longest_at_ns = collection.start_ns;
  }
  return totals;
}

}  // namespace oriel::profile
