#include "engine/hits/hit_counters.h"

#include <algorithm>
#include <span>

namespace oriel::hits {
namespace {

using coverage_file::data_of;
using coverage_file::Kind;
using coverage_file::kSegmentHeader;
using coverage_file::kUnit;
using coverage_file::Segment;

constexpr uint64_t kChunk = kUnit - kSegmentHeader;  // counters in a chunk, unless one method has more

// The counters of a chunk, or of its copy in an area, eight at a time.
std::span<uint64_t> words_of(Segment* segment, const Segment* like) {
  const uint64_t used = like->used.load(std::memory_order_relaxed);
  return {reinterpret_cast<uint64_t*>(data_of(segment)), (used + 7) / 8};
}

// Hits stored meanwhile belong to the next period.
uint64_t taken(uint64_t& word) {
  return __atomic_load_n(&word, __ATOMIC_RELAXED) == 0 ? 0 : __atomic_exchange_n(&word, 0, __ATOMIC_ACQ_REL);
}

}  // namespace

uint8_t* HitCounters::take(uint32_t count, uint64_t& first) {
  const auto room = [](Segment* chunk) {
    return chunk->bytes - kSegmentHeader - chunk->used.load(std::memory_order_relaxed);
  };
  if (chunks_.empty() || room(chunks_.back()) < count) {
    Segment* const made = file_.add(Kind::kLive, 1, next_, std::max<uint64_t>(count, kChunk));
    if (made == nullptr) return nullptr;
    chunks_.push_back(made);
  }
  Segment* const chunk = chunks_.back();
  const uint64_t used = chunk->used.load(std::memory_order_relaxed);
  first = next_;
  next_ += count;
  chunk->used.store(used + count, std::memory_order_release);
  return data_of(chunk) + used;
}

bool HitCounters::make_room_to_end(View& own, bool in_file) {
  for (auto& [whose, view] : views_) {
    if (!make_room(whose == owner_ ? file_ : no_file_, Kind::kKept, chunks_, view.kept)) return false;
  }
  return make_room(in_file ? file_ : no_file_, Kind::kEnded, chunks_, own.ended);
}

// If the process is killed at any moment, its file has every hit, except those of periods that are in the log.
bool HitCounters::end_period(const oriel_profiler_desc* profiler) {
  View& own = views_[profiler];
  const bool in_file = profiler == owner_ && file_.exists();
  if (!make_room_to_end(own, in_file)) return false;
  if (in_file) file_.header().ended_period.store(file_.header().period.load());
  for (size_t i = 0; i < chunks_.size(); ++i) {
    const std::span<uint64_t> live = words_of(chunks_[i], chunks_[i]), ended = words_of(own.ended[i], chunks_[i]);
    const std::span<uint64_t> kept = words_of(own.kept[i], chunks_[i]);
    for (size_t word = 0; word < live.size(); ++word) {
      ended[word] |= kept[word] | __atomic_load_n(&live[word], __ATOMIC_RELAXED);
      const uint64_t hits = taken(live[word]);  // acquire and release: no earlier store appears later
      ended[word] |= hits;
      kept[word] = 0;
      if (hits == 0) continue;
      for (auto& [whose, view] : views_)
        if (whose != profiler) words_of(view.kept[i], chunks_[i])[word] |= hits;
    }
  }
  if (in_file) file_.header().period.fetch_add(1);
  was_reset_ = true;
  return true;
}

void HitCounters::forget_ended(const oriel_profiler_desc* profiler) {
  if (profiler == owner_ && file_.exists()) file_.header().ended_period.store(coverage_file::kNoPeriod);
  clear(views_[profiler].ended);
}

bool HitCounters::is_set(const Areas& areas, uint64_t counter) const {
  const size_t chunk = chunk_of(chunks_, counter);
  if (chunk >= areas.size() || areas[chunk] == nullptr) return false;
  return __atomic_load_n(data_of(areas[chunk]) + (counter - chunks_[chunk]->first), __ATOMIC_RELAXED) != 0;
}

bool HitCounters::ran(const oriel_profiler_desc* profiler, uint64_t counter) const {
  if (is_set(chunks_, counter)) return true;
  const auto view = views_.find(profiler);
  return view != views_.end() && is_set(view->second.kept, counter);
}

bool HitCounters::ran_in_ended_period(const oriel_profiler_desc* profiler, uint64_t counter) const {
  const auto view = views_.find(profiler);
  return view != views_.end() && is_set(view->second.ended, counter);
}

bool HitCounters::any_ran_in_ended_period(const oriel_profiler_desc* profiler, uint64_t first, uint32_t count) const {
  const auto view = views_.find(profiler);
  const size_t chunk = chunk_of(chunks_, first);
  if (view == views_.end() || chunk >= view->second.ended.size() || view->second.ended[chunk] == nullptr) return false;
  const uint8_t* const hits = data_of(view->second.ended[chunk]) + (first - chunks_[chunk]->first);
  return std::any_of(hits, hits + count, [](uint8_t hit) { return hit != 0; });
}

bool HitCounters::all_hit(const uint8_t* first, uint32_t count) {
  return std::all_of(first, first + count,
                     [](const uint8_t& counter) { return __atomic_load_n(&counter, __ATOMIC_RELAXED) != 0; });
}

}  // namespace oriel::hits
