// Counters of eight bytes that say how often code ran. Each thread has its own, all laid out alike in a region of
// address space of its own, so that threads do not get into each other's way; what is counted is the sum. A thread that
// starts later counts on where one that has ended left off.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/coverage/views.h"

namespace oriel::coverage {

// What instrumented code asks for where its thread's counters are: never nullptr. Leaves errno alone.
extern "C" void* counters_of_thread();

// Under the lock of whoever has it.
class ThreadCounters {
 public:
  explicit ThreadCounters(CounterFile& file) : file_(file) {}

  // Before any code counts. False without address space.
  bool begin();
  // So many counters, all 0, in all threads' regions, as coverage_file::bytes_behind has them; nullopt without memory.
  // Tells where in a region the first is.
  std::optional<int32_t> take(uint32_t count, uint64_t& first);

  // As of HitCounters.
  void add(const oriel_profiler_desc* profiler) { views_.try_emplace(profiler); }
  void set_owner(const oriel_profiler_desc* owner) { owner_ = owner; }
  bool end_period(const oriel_profiler_desc* profiler);
  void forget_ended(const oriel_profiler_desc* profiler);
  uint64_t count(const oriel_profiler_desc* profiler, uint64_t counter) const;
  uint64_t had_count(const oriel_profiler_desc* profiler, uint64_t counter) const;
  bool any_had_count(const oriel_profiler_desc* profiler, uint64_t first, uint32_t count) const;

  // A region for a thread that has none, and of one that has ended. The first of all is everybody's who can get no
  // other.
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

}  // namespace oriel::coverage
