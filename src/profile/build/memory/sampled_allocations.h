// Processor of sampled allocations: estimates objects and bytes by class, thread and stack.
//
// Each sample has the bytes that it represents, so their sums are unbiased. The relative error of a class's total is
// about one over the square root of its number of samples.
#pragma once

#include <cstdint>
#include <vector>

#include "log/event.h"
#include "oriel/oriel.h"
#include "profile/build/async/async_stacks.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"
#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/hashed_rows.h"
#include "profile/profile.h"

namespace oriel::profile {

class SampledAllocations {
 public:
  // Counts only samples between these counters.
  void limit(uint64_t from, uint64_t to);

  // Ignores tracked objects, which are not a sample of all allocations.
  void leave_out_followed(bool is) { leaves_out_followed_ = is; }

  // Keeps times, for logs with async methods: the logical stack of an allocation depends on its time.
  void keep_times() { keeps_times_ = true; }

  // Adds the estimates to `profile`, which has its calls, and the functions that they meet. Not where each allocation
  // was logged too: the same objects would count twice. The site of those with a stack is its innermost method.
  void finish(const Names& names, const ClockMap& clock, LogicalStacks& logical, Functions& functions,
              Profile& profile);

  void add(const Incoming& told);
  void add_followed(const Incoming& told);
  static constexpr Taking<SampledAllocations> kTakes[] = {
      {oriel_event_gc_allocation_sampled, &SampledAllocations::add},
      {oriel_event_gc_allocation_followed, &SampledAllocations::add_followed},
  };

 private:
  struct Row {
    uint64_t klass = 0;
    uint32_t thread = 0;
    uint32_t stack = 0;
    uint64_t samples = 0;
    uint64_t bytes = 0;
    double objects = 0;

    uint64_t hash() const { return mix(klass, uint64_t{stack} << 32 | thread); }
    bool same(const Row& other) const { return klass == other.klass && thread == other.thread && stack == other.stack; }
  };

  struct Timed {
    uint64_t klass = 0;
    uint64_t counter = 0;
    uint64_t bytes = 0;
    double objects = 0;
    uint32_t thread = 0;
    uint32_t stack = 0;
  };

  void add_to_row(const Timed& allocation);

  bool leaves_out_followed_ = false;
  bool keeps_times_ = false;
  std::vector<Timed> timed_;
  HashedRows<Row> rows_;
  uint64_t from_ = 0;
  uint64_t to_ = UINT64_MAX;
  uint64_t samples_ = 0;  // of the whole log, like the next two
  double objects_ = 0;
  uint64_t not_counted_ = 0;
};

}  // namespace oriel::profile
