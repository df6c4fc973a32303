#include "engine/hits/thread_counters.h"

#include <sys/mman.h>

#include <atomic>
#include <mutex>

#include "base/process/kept_errno.h"
#include "base/process/thread_key.h"
#include "base/static_tls.h"
#include "engine/engine.h"
#include "engine/hits/covered_table.h"

namespace oriel::hits {
namespace {

using coverage_file::bytes_behind;
using coverage_file::data_of;
using coverage_file::Kind;
using coverage_file::kNoPeriod;
using coverage_file::kSegmentHeader;
using coverage_file::kUnit;
using coverage_file::Segment;

constexpr uint64_t kOfChunk = coverage_file::kCountsInUnit;
constexpr uint64_t kMostChunks = 1024;  // 8 million counters, in 64 MB of address space a thread

constinit ORIEL_STATIC_TLS thread_local uint8_t* own = nullptr;
constinit std::atomic<bool> said_shared{false};

// Code that still runs on the thread counts in the shared region.
void thread_ends(void* region) {
  const std::lock_guard guard(table().lock);
  own = table().counts.shared_region();
  table().counts.give_back(static_cast<uint8_t*>(region));
}
const ThreadKey own_key(thread_ends);

__attribute__((noinline)) void* find_region() {
  const KeptErrno kept;
  bool is_shared = false;
  {
    const std::lock_guard guard(table().lock);
    own = table().counts.take_region();
    is_shared = own == table().counts.shared_region();
  }
  if (!is_shared) {
    own_key.set(own);
  } else if (!said_shared.exchange(true)) {
    warn("coverage: no memory for a thread's counters; counts of code that several threads run may be too low");
  }
  return own;
}

Segment* segment_at(uint8_t* region, size_t chunk) { return reinterpret_cast<Segment*>(region + chunk * kUnit); }

uint64_t value_at(Segment* segment, uint64_t index) {
  return __atomic_load_n(reinterpret_cast<uint64_t*>(data_of(segment)) + index, __ATOMIC_RELAXED);
}
void set_value(Segment* segment, uint64_t index, uint64_t value) {
  __atomic_store_n(reinterpret_cast<uint64_t*>(data_of(segment)) + index, value, __ATOMIC_RELAXED);
}

// For areas parallel to the chunks; 0 if there are none.
uint64_t value_in(const Areas& areas, uint64_t counter) {
  const size_t chunk = counter / kOfChunk;
  return chunk < areas.size() && areas[chunk] != nullptr ? value_at(areas[chunk], counter % kOfChunk) : 0;
}

}  // namespace

extern "C" __attribute__((visibility("hidden"))) void* counters_of_thread() {
  return __builtin_expect(own != nullptr, 1) ? own : find_region();
}

bool ThreadCounters::begin() { return !regions_.empty() || make_region() != nullptr; }

uint8_t* ThreadCounters::make_region() {
  void* const memory =
      mmap(nullptr, kMostChunks * kUnit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const region = static_cast<uint8_t*>(memory);
  for (size_t chunk = 0; chunk < chunks_.size(); ++chunk)
    if (!map_chunk(region, chunk)) return nullptr;
  regions_.push_back(region);
  return region;
}

bool ThreadCounters::map_chunk(uint8_t* region, size_t chunk) {
  Segment* const made =
      file_.add(Kind::kLive, 8, chunk * kOfChunk, kOfChunk * 8, static_cast<void*>(region + chunk * kUnit));
  if (made != nullptr) made->used.store(kOfChunk, std::memory_order_release);
  return made != nullptr;
}

bool ThreadCounters::add_chunk() {
  for (uint8_t* const region : regions_)
    if (!map_chunk(region, chunks_.size())) return false;
  chunks_.push_back(segment_at(regions_.front(), chunks_.size()));
  return true;
}

// A method's counters lie in one chunk. If it has more, they start with a chunk and continue in the next ones.
std::optional<int32_t> ThreadCounters::take(uint32_t count, uint64_t& first) {
  const uint64_t in_chunk = next_ % kOfChunk;
  const uint64_t from = in_chunk == 0 || in_chunk + count <= kOfChunk ? next_ : next_ - in_chunk + kOfChunk;
  const uint64_t end = from + count;
  if (end > kMostChunks * kOfChunk) return std::nullopt;
  while (chunks_.size() * kOfChunk < end)
    if (!add_chunk()) return std::nullopt;
  first = from;
  next_ = end;
  return static_cast<int32_t>(kSegmentHeader + bytes_behind(from));
}

void ThreadCounters::count_more(uint64_t counter, uint64_t times) {
  Segment* const segment = segment_at(shared_region(), counter / kOfChunk);
  const uint64_t index = counter % kOfChunk;
  set_value(segment, index, value_at(segment, index) + times);
}

uint8_t* ThreadCounters::take_region() {
  if (!free_.empty()) {
    uint8_t* const region = free_.back();
    free_.pop_back();
    return region;
  }
  uint8_t* const made = make_region();
  return made != nullptr ? made : shared_region();
}

void ThreadCounters::give_back(uint8_t* region) { free_.push_back(region); }

uint64_t ThreadCounters::sum(uint64_t counter) const {
  uint64_t sum = 0;
  for (uint8_t* const region : regions_) sum += value_at(segment_at(region, counter / kOfChunk), counter % kOfChunk);
  return sum;
}

// As in HitCounters: if the process is killed at any moment, its file has each count once.
bool ThreadCounters::end_period(const oriel_profiler_desc* profiler) {
  View& own_view = views_[profiler];
  const bool in_file = profiler == owner_ && file_.exists();
  CounterFile& file = in_file ? file_ : no_file_;
  if (!make_room(file, Kind::kKept, chunks_, own_view.kept) || !make_room(file, Kind::kEnded, chunks_, own_view.ended))
    return false;
  const auto for_each = [&](auto visit) {
    for (uint64_t counter = 0; counter < next_; ++counter) visit(counter / kOfChunk, counter % kOfChunk, counter);
  };
  for_each([&](size_t chunk, uint64_t index, uint64_t counter) {
    set_value(own_view.ended[chunk], index, sum(counter) - value_at(own_view.kept[chunk], index));
  });
  if (in_file) file_.header().ended_period.store(file_.header().period.load());
  for_each([&](size_t chunk, uint64_t index, uint64_t) {
    const uint64_t kept = value_at(own_view.kept[chunk], index);
    set_value(own_view.kept[chunk], index, kept + value_at(own_view.ended[chunk], index));
  });
  if (in_file) file_.header().period.fetch_add(1);
  return true;
}

void ThreadCounters::forget_ended(const oriel_profiler_desc* profiler) {
  if (profiler == owner_ && file_.exists()) file_.header().ended_period.store(kNoPeriod);
  clear(views_[profiler].ended);
}

uint64_t ThreadCounters::count(const oriel_profiler_desc* profiler, uint64_t counter) const {
  const auto view = views_.find(profiler);
  return sum(counter) - (view == views_.end() ? 0 : value_in(view->second.kept, counter));
}

uint64_t ThreadCounters::count_in_ended_period(const oriel_profiler_desc* profiler, uint64_t counter) const {
  const auto view = views_.find(profiler);
  return view == views_.end() ? 0 : value_in(view->second.ended, counter);
}

bool ThreadCounters::any_had_count(const oriel_profiler_desc* profiler, uint64_t first, uint32_t count) const {
  const auto view = views_.find(profiler);
  if (view == views_.end()) return false;
  for (uint64_t counter = first; counter < first + count; ++counter)
    if (value_in(view->second.ended, counter) != 0) return true;
  return false;
}

}  // namespace oriel::hits
