// Sums of logged calls and allocations by method, type and site.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct MethodCalls {
  uint32_t function = 0;  // index into functions
  uint64_t calls = 0;
  uint64_t outermost = 0;  // of these, not made while the method was already running (recursion)
  uint64_t by_exception = 0;
  uint64_t running = 0;
  int64_t self_ns = 0;
  int64_t measured_self_ns = 0;  // with probe costs
  int64_t total_ns = 0;          // inclusive: the time of the outermost calls
  int64_t waited_ns = 0;         // of total_ns, off CPU
  bool recursive = false;
  // total_ns per outermost call. nullopt if total_ns includes calls that are not counted: if `outermost` is 0, or some
  // calls began before the filter's time range.
  std::optional<int64_t> average_ns;
  int64_t longest_ns = 0;  // of one call; not known in a call graph
  // For an async method whose whole calls are logged: how often it was started or resumed. The other figures are then
  // of whole calls, from start to completion, except self_ns, which is its time on threads.
  uint64_t pieces = 0;
};

// All methods that were called, by self time, then total time, descending.
std::vector<MethodCalls> method_calls(const Profile& profile);

struct AllocationTotals {
  uint32_t type = 0;  // indexes into functions
  uint32_t site = 0;  // 0: not known; always 0 in totals by type
  uint64_t objects = 0;
  uint64_t bytes = 0;
  uint64_t samples = 0;  // that objects and bytes are estimated from; 0 if each object was logged
};

// The method an allocation is attributed to: the one that has the instruction, or the nearest caller in the program's
// own code, which its author can change.
enum class AttributeTo { kInnermost, kOwn };

struct AllocationSite {
  uint32_t function = 0;  // 0: not known
  uint32_t node = 0;      // of Profile::call_nodes: where in that function; 0: not known
};
// Of each of Profile::allocations. Where no own method is known, the innermost.
std::vector<AllocationSite> allocation_sites(const Profile& profile, AttributeTo maker);

// Sorted by bytes, then by objects, descending.
std::vector<AllocationTotals> allocations_by_type(const Profile& profile);
std::vector<AllocationTotals> allocations_by_site(const Profile& profile, AttributeTo maker);

// Over all that the filter kept.
struct CallSums {
  uint64_t calls = 0;
  int64_t self_ns = 0;      // of all methods, which is the inclusive time of outermost calls
  int64_t measured_ns = 0;  // self_ns with probe costs
  int64_t waited_ns = 0;    // of self_ns, off CPU
  uint64_t running = 0;
  uint64_t objects = 0;
  uint64_t bytes = 0;
  uint64_t allocation_samples = 0;  // that objects and bytes are estimated from; 0 if each object was logged
};
CallSums sum_calls(const Profile& profile);

}  // namespace oriel::profile
