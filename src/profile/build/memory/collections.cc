#include "profile/build/memory/collections.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "profile/build/memory/memory_limit.h"

namespace oriel::profile {
namespace {

bool is_gc(const Pause& pause) { return pause.reason == ORIEL_SUSPEND_GC || pause.reason == ORIEL_SUSPEND_GC_PREPARE; }

// No heap is that large. The limit keeps sums over a corrupt log from overflowing.
constexpr uint64_t kMostBytes = uint64_t{1} << 56;

// Adds `parts` of the record's values, from `first` on.
void add_sizes(const GcRecord& record, size_t first, size_t parts, HeapSizes& sizes) {
  for (size_t i = 0; i < parts; ++i)
    sizes.bytes[i] = std::min(sizes.bytes[i] + std::min(record.values[first + i], kMostBytes), kMostBytes);
}

GcDetail& detail_of(Collection& collection) {
  return collection.detail ? *collection.detail : collection.detail.emplace();
}

void add_survived(const GcRecord& record, Collection& collection) {
  GcDetail& detail = detail_of(collection);
  detail.has_heap_counts = true;
  add_sizes(record, 0, HeapSizes::kFrozen, detail.survived);
  detail.finalizable = static_cast<uint32_t>(record.values[5]);
  detail.pinned_objects = static_cast<uint32_t>(record.values[6]);
  detail.handles = static_cast<uint32_t>(record.values[7]);
}

// Whether a collection ended in its pause, as a background collection does that became a blocking one.
bool ends_in_its_pause(const Collection& collection, const std::vector<Pause>& pauses) {
  const auto after = std::ranges::upper_bound(pauses, collection.start_ns, {}, &Pause::start_ns);
  if (after == pauses.begin() || collection.end_ns < 0) return false;
  const Pause& pause = *(after - 1);
  return is_gc(pause) && collection.end_ns <= pause.start_ns + pause.ns;
}

// Builds collections from the log's begins and ends.
//
// A background collection may begin with a short collection of the younger generations in the same pause. CoreCLR
// reports the begin of the background one, and both ends, under the number of the background one. The short one shows
// only by its trigger, which follows the other's trigger, or by the second pause, which then comes after an end.
class CollectionMatcher {
 public:
  CollectionMatcher(const ClockMap& clock, std::vector<Collection>& collections)
      : clock_(clock), collections_(collections) {}

  void add(const GcRecord& record) {
    switch (record.event) {
      case oriel_event_gc_begin:
        return begin(record, static_cast<uint32_t>(record.values[0]), record.values[1], record.values[2]);
      case log::Event::kGcStart:
        return begin(record, static_cast<uint32_t>(collections_.size() + 1), record.values[0], ORIEL_GC_REASON_OTHER);
      case oriel_event_gc_triggered:
        return triggered(record);
      case oriel_event_gc_heap:
        return heap(record);
      case oriel_event_gc_free:
        return add_sizes(record, 1, HeapSizes::kFrozen, left_free_[record.thread]);
      case oriel_event_gc_end:
        return end(record, [&](const Open& open) { return open.number == record.values[0]; });
      case log::Event::kGcEnd:
        return end(record, [&](const Open& open) { return collections_[open.index].generation == record.values[0]; });
      case oriel_event_gc_survived:
        if (const auto last = ended_.find(record.thread); last != ended_.end())
          add_survived(record, collections_[last->second]);
        return;
      case oriel_event_resume_end:
        if (record.values[0] == ORIEL_SUSPEND_GC_PREPARE) second_pause_ended(record);
        return;
      default:
        return;
    }
  }

  // Sorts by begin, a short collection after the one that begins with it, and numbers them as the runtime does.
  void finish() {
    std::ranges::stable_sort(collections_, {}, &Collection::start_ns);
    for (size_t i = 0; i < collections_.size(); ++i) collections_[i].number = first_number_ + static_cast<uint32_t>(i);
  }

 private:
  static constexpr uint32_t kShort = 1;  // the generation of a short collection
  static constexpr size_t kNone = SIZE_MAX;
  struct Open {
    size_t index = 0;
    uint64_t number = 0;  // in the log's events
  };

  void begin(const GcRecord& record, uint32_t number, uint64_t generation, uint64_t reason) {
    Collection collection;
    collection.number = number;
    collection.start_ns = clock_.ns(record.counter);
    collection.generation = static_cast<uint32_t>(generation);
    collection.induced = reason == ORIEL_GC_REASON_INDUCED;
    if (collections_.empty()) first_number_ = number;
    last_ = collections_.size();
    if (collection.generation == kOldestGeneration) oldest_ = last_;
    open_.push_back({last_, number});
    collections_.push_back(collection);
  }

  void triggered(const GcRecord& record) {
    if (last_ == kNone) return;
    size_t of = last_;
    if (collections_[of].detail && collections_[of].detail->trigger != GcDetail::kNotReported) {
      if (!collections_[of].background) return;
      of = add_short_one(of);
    }
    detail_of(collections_[of]).trigger = record.values[1];
    collections_[of].background = record.values[2] != 0;
  }

  // From now on, an end with the background collection's number is the short one's.
  size_t add_short_one(size_t background) {
    const size_t added = collections_.size();
    Collection inner;
    inner.start_ns = collections_[background].start_ns;
    inner.generation = kShort;
    collections_.push_back(inner);
    for (Open& open : open_)
      if (open.index == background) open.index = added;
    return last_ = added;
  }

  void heap(const GcRecord& record) {
    for (const Open& open : open_) {
      if (open.number != record.values[0]) continue;
      HeapSizes& sizes = collections_[open.index].heap.emplace();
      add_sizes(record, 1, HeapSizes::kParts, sizes);
      // The background collection's own sizes come with its end, unless the log ends before.
      if (swept_ != kNone && swept_ != open.index) collections_[swept_].heap = sizes;
      swept_ = kNone;
    }
  }

  template <typename IsIt>
  void end(const GcRecord& record, IsIt is_it) {
    const auto found = std::find_if(open_.rbegin(), open_.rend(), is_it);
    if (found == open_.rend()) return;
    Collection& collection = collections_[found->index];
    collection.end_ns = clock_.ns(record.counter);
    // Version 1's runtimes stop the program during all of a collection and do not log the pause.
    if (record.event == log::Event::kGcEnd) collection.pause_ns = collection.end_ns - collection.start_ns;
    if (const auto free = left_free_.extract(record.thread)) detail_of(collection).free = free.mapped();
    ended_[record.thread] = found->index;
    open_.erase(std::next(found).base());
  }

  // Only a background collection has a second pause. Without an event for its end, this is its last known time.
  void second_pause_ended(const GcRecord& record) {
    if (oldest_ == kNone) return;
    const size_t background = std::exchange(oldest_, kNone);
    if (collections_[background].end_ns >= 0) {  // that was the short one's end
      const Collection ended = collections_[background];
      const size_t last = last_;
      Collection& inner = collections_[add_short_one(background)];
      last_ = last;
      inner.end_ns = ended.end_ns;
      inner.heap = ended.heap;
      inner.detail = ended.detail;
      collections_[background].heap.reset();
      collections_[background].detail.reset();
    }
    collections_[background].end_ns = clock_.ns(record.counter);
    if (std::ranges::find(open_, background, &Open::index) == open_.end())
      open_.push_back({background, collections_[background].number});
    collections_[background].background = true;
    swept_ = background;
  }

  const ClockMap& clock_;
  std::vector<Collection>& collections_;
  std::vector<Open> open_;                   // not ended yet
  std::map<uint32_t, size_t> ended_;         // by thread: the last one that ended
  std::map<uint32_t, HeapSizes> left_free_;  // by thread: reported before the end
  size_t last_ = kNone;                      // the last one that began
  size_t oldest_ = kNone;                    // the last full one, which may be a background collection
  size_t swept_ = kNone;                     // a background one without heap sizes since its second pause
  uint32_t first_number_ = 1;
};

}  // namespace

// Raises the memory limit by what records take, so that none is left out.
void Collections::add(const Incoming& told) {
  const size_t before = records_.capacity();
  GcRecord& record = records_.emplace_back(GcRecord{told.event.counter, told.event.number, told.thread, {}});
  std::ranges::copy(told.event.values, record.values);
  told.room.raise_limit((records_.capacity() - before) * sizeof(GcRecord));
}

void Collections::finish(const ClockMap& clock, Profile& profile) {
  std::stable_sort(records_.begin(), records_.end(),
                   [](const GcRecord& a, const GcRecord& b) { return a.counter < b.counter; });
  match_collections(clock, profile);
  match_pauses(clock, profile);
  for (Collection& collection : profile.collections)
    if (ends_in_its_pause(collection, profile.pauses)) collection.background = false;
  add_heaps(profile);
  add_gc_phases(records_, clock, profile);
}

void Collections::match_collections(const ClockMap& clock, Profile& profile) const {
  CollectionMatcher matcher(clock, profile.collections);
  for (const GcRecord& record : records_) matcher.add(record);
  matcher.finish();
}

void Collections::add_heaps(Profile& profile) const {
  constexpr uint64_t kMostHeaps = 1024;  // the runtime's limit
  std::map<uint32_t, uint64_t> marked;
  for (const GcRecord& record : records_) {
    if (record.event != oriel_event_gc_marked || record.values[0] >= kMostHeaps) continue;
    uint64_t& sum = marked[static_cast<uint32_t>(record.values[0])];
    sum = std::min(kMostBytes, sum + std::min(kMostBytes, record.values[2]));
  }
  for (const auto& [number, sum] : marked) profile.gc_heaps.push_back({number, 0, sum});
}

void Collections::match_pauses(const ClockMap& clock, Profile& profile) const {
  int64_t stopped = -1;  // when the runtime began to stop threads
  for (const GcRecord& record : records_) {
    const int64_t now = clock.ns(record.counter);
    if (record.event == oriel_event_suspend_begin) stopped = now;
    if (record.event == oriel_event_suspend_aborted) stopped = -1;
    if (record.event != oriel_event_resume_end) continue;
    profile.pauses.push_back(pause_of(record, std::exchange(stopped, -1), now));
  }
  std::stable_sort(profile.pauses.begin(), profile.pauses.end(),
                   [](const Pause& a, const Pause& b) { return a.start_ns < b.start_ns; });
  for (const Pause& pause : profile.pauses) {
    Collection* collection = is_gc(pause) ? collection_of(pause, profile.collections) : nullptr;
    if (collection) collection->pause_ns += pause.ns;
  }
}

}  // namespace oriel::profile
