#include "profile/collections.h"

#include <algorithm>
#include <map>

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
    case oriel_event_gc_triggered:
    case oriel_event_gc_survived:
    case oriel_event_gc_free:
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

// No heap is that large: sums of what a corrupt log claims are not to overflow.
constexpr uint64_t kMostBytes = uint64_t{1} << 56;

// Adds so many parts from the record's value `first` on.
void add_sizes(const GcRecord& record, size_t first, size_t parts, HeapSizes& sizes) {
  for (size_t i = 0; i < parts; ++i)
    sizes.bytes[i] = std::min(sizes.bytes[i] + std::min(record.values[first + i], kMostBytes), kMostBytes);
}

// What the event of the collection's number tells.
void add_heap(const GcRecord& record, Collection& collection) {
  if (collection.number != record.values[0]) return;
  collection.heap.emplace();
  add_sizes(record, 1, HeapSizes::kParts, *collection.heap);
}

GcDetail& detail_of(Collection& collection) {
  return collection.detail ? *collection.detail : collection.detail.emplace();
}

void add_trigger(const GcRecord& record, Collection& collection) {
  if (collection.number != record.values[0]) return;
  detail_of(collection).trigger = record.values[1];
  detail_of(collection).background = record.values[2] != 0;
}

void add_survived(const GcRecord& record, Collection& collection) {
  GcDetail& detail = detail_of(collection);
  detail.tells_heap = true;
  add_sizes(record, 0, HeapSizes::kFrozen, detail.survived);
  detail.finalizable = static_cast<uint32_t>(record.values[5]);
  detail.pinned_objects = static_cast<uint32_t>(record.values[6]);
  detail.handles = static_cast<uint32_t>(record.values[7]);
}

// As one that was meant to run beside the program and came to block it.
bool ends_in_its_pause(const Collection& collection, const std::vector<Pause>& pauses) {
  const auto after = std::ranges::upper_bound(pauses, collection.start_ns, {}, &Pause::start_ns);
  if (after == pauses.begin() || collection.end_ns < 0) return false;
  const Pause& pause = *(after - 1);
  return is_gc(pause) && collection.end_ns <= pause.start_ns + pause.ns;
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
  for (Collection& collection : profile.collections)
    if (collection.detail && ends_in_its_pause(collection, profile.pauses)) collection.detail->background = false;
  add_heaps(profile);
  add_gc_phases(records_, clock, profile);
}

void Collections::match_collections(const ClockMap& clock, Profile& profile) const {
  std::vector<size_t> open;                 // indexes of collections that have not ended
  std::map<uint32_t, size_t> ended;         // by thread, the last that ended there
  std::map<uint32_t, HeapSizes> left_free;  // by thread, told before the end
  const auto close = [&](const GcRecord& record, auto is_it) {
    for (size_t i = open.size(); i-- > 0;) {
      Collection& collection = profile.collections[open[i]];
      if (!is_it(collection)) continue;
      collection.end_ns = clock.ns(record.counter);
      // Version 1's runtimes stop the program for the whole of a collection and do not log it apart.
      if (record.event == log::Event::kGcEnd) collection.pause_ns = collection.end_ns - collection.start_ns;
      if (const auto free = left_free.extract(record.thread)) detail_of(collection).free = free.mapped();
      ended[record.thread] = open[i];
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
      case oriel_event_gc_triggered:
        for (const size_t i : open) add_trigger(record, profile.collections[i]);
        continue;
      case oriel_event_gc_free:
        add_sizes(record, 1, HeapSizes::kFrozen, left_free[record.thread]);
        continue;
      case oriel_event_gc_survived:
        if (const auto last = ended.find(record.thread); last != ended.end())
          add_survived(record, profile.collections[last->second]);
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

void Collections::add_heaps(Profile& profile) const {
  constexpr uint64_t kMostHeaps = 1024;  // as the runtime has at most
  std::map<uint32_t, uint64_t> marked;
  for (const GcRecord& record : records_) {
    if (record.event != oriel_event_gc_marked || record.values[0] >= kMostHeaps) continue;
    uint64_t& sum = marked[static_cast<uint32_t>(record.values[0])];
    sum = std::min(kMostBytes, sum + std::min(kMostBytes, record.values[2]));
  }
  for (const auto& [number, sum] : marked) profile.gc_heaps.push_back({number, 0, sum});
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
