// The runtime's own sampling of allocations (.NET 10), which needs no probes: events of an in-process EventPipe
// session.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// The session, on while somebody listens. Not two calls at a time.
class AllocationSampling {
 public:
  explicit AllocationSampling(ProfilerInfo& info) : info_(info) {}

  // What the runtime refuses is said once, with the reason.
  void turn(bool on);

 private:
  ProfilerInfo& info_;
  uint64_t session_ = 0;
  bool on_ = false;
  bool said_refused_ = false;
};

struct SampledAllocation {
  ClassID klass;
  uint64_t size;
  uint64_t represented;  // bytes allocated that it stands for
};
inline constexpr uint32_t kAllocationSampled = 303;  // the event's number
// The event's fields; nothing if they are not what they should be.
std::optional<SampledAllocation> read_sampled_allocation(std::span<const uint8_t> fields);

}  // namespace oriel::coreclr
