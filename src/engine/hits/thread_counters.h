// Eight-byte counters that say how often code ran. Each thread has its own in a separate region of address space with
// the same layout, so that threads do not contend; a count is the sum over all regions. A new thread reuses, without
// clearing it, the region of one that ended.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/hits/views.h"

namespace oriel::hits {

// Called by instrumented code to get its thread's counters: never nullptr. Preserves errno.
extern "C" void* counters_of_thread();

// The owner's lock guards it.
class ThreadCounters {
 public:
  explicit ThreadCounters(CounterFile& file) : file_(file) {}

  // Call before any code counts. False without address space.
  bool begin();
  // Allocates zeroed counters in all threads' regions, laid out by coverage_file::bytes_behind; nullopt without memory.
  // Returns the first one's offset in a region.
  std::optional<int32_t> take(uint32_t count, uint64_t& first);

  // Adds to a counter where no code counts itself.
  void count_more(uint64_t counter, uint64_t times);

  // As in HitCounters.
  void add(const oriel_profiler_desc* profiler) { views_.try_emplace(profiler); }
  void set_owner(const oriel_profiler_desc* owner) { owner_ = owner; }
  bool end_period(const oriel_profiler_desc* profiler);
  void forget_ended(const oriel_profiler_desc* profiler);
  uint64_t count(const oriel_profiler_desc* profiler, uint64_t counter) const;
  uint64_t count_in_ended_period(const oriel_profiler_desc* profiler, uint64_t counter) const;
  bool any_had_count(const oriel_profiler_desc* profiler, uint64_t first, uint32_t count) const;

  // A region for a new thread, and back from one that ended. Threads that can get none share the first region.
  uint8_t* take_region();
  void give_back(uint8_t* region);
  uint8_t* shared_region() const { return regions_.empty() ? nullptr : regions_.front(); }

 private:
  using Segment = coverage_file::Segment;

  uint8_t* make_region();
  bool map_chunk(uint8_t* region, size_t chunk);
  bool add_chunk();
  uint64_t sum(uint64_t counter) const;

  CounterFile& file_;
  CounterFile no_file_;
  const oriel_profiler_desc* owner_ = nullptr;
  std::vector<uint8_t*> regions_;
  std::vector<uint8_t*> free_;
  Areas chunks_;       // those of the first region
  uint64_t next_ = 0;  // number of the next counter
  Views views_;
};

}  // namespace oriel::hits
