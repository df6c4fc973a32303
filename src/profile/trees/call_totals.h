// What logged calls and allocations add up to: by method, by type, by site.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct MethodCalls {
  uint32_t function = 0;  // index into functions
  uint64_t calls = 0;
  uint64_t outermost = 0;  // of these, not made while the method already ran: fewer where it calls itself
  uint64_t by_exception = 0;
  uint64_t running = 0;
  int64_t self_ns = 0;
  int64_t measured_self_ns = 0;  // with what probes took
  int64_t total_ns = 0;          // with what it calls: the time of the outermost calls
  int64_t waited_ns = 0;         // of the total, without a processor
  bool recursive = false;
  // The total by the outermost calls. None where calls that are not counted have part of the total: where there are
  // none, and where some began before the time range that counts.
  std::optional<int64_t> average_ns;
  int64_t longest_ns = 0;  // of one call; of a call graph not known
  // Of an async method whose calls the log tells as wholes: so often it was begun and went on. The rest is of its whole
  // calls then, from begin to end, but for the self time, which is that on threads.
  uint64_t pieces = 0;
};

// Every method that was called; most self time first, then most total.
std::vector<MethodCalls> method_calls(const Profile& profile);

struct AllocationTotals {
  uint32_t type = 0;  // indexes into functions
  uint32_t site = 0;  // 0: not known; of totals by type, always
  uint64_t objects = 0;
  uint64_t bytes = 0;
  uint64_t samples = 0;  // from which both are estimated; 0: each object was logged
};

// Whose code makes an object: the very method that has the instruction, or the program's own that had it made, which is
// what its author can change.
enum class Maker { kInnermost, kOwn };

struct AllocationSite {
  uint32_t function = 0;  // 0: not known
  uint32_t node = 0;      // of CallLog::nodes: where in that function; 0: not known
};
// Of each of CallLog::allocations. Where no own method is known, the innermost.
std::vector<AllocationSite> allocation_sites(const Profile& profile, Maker maker);

// Most bytes first, then most objects.
std::vector<AllocationTotals> allocations_by_type(const Profile& profile);
std::vector<AllocationTotals> allocations_by_site(const Profile& profile, Maker maker);

// Over all that the filter has kept.
struct CallSums {
  uint64_t calls = 0;
  int64_t self_ns = 0;      // of all methods: the time of the threads' outermost calls
  int64_t measured_ns = 0;  // the same with what probes took
  int64_t waited_ns = 0;    // of self_ns, without a processor
  uint64_t running = 0;
  uint64_t objects = 0;
  uint64_t bytes = 0;
  uint64_t allocation_samples = 0;  // from which both are estimated; 0: each object was logged
};
CallSums sum_calls(const Profile& profile);

}  // namespace oriel::profile
