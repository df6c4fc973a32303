// What the runtime tells by its own event source (Microsoft-Windows-DotNETRuntime) alone: its sampling of allocations
// (.NET 10), which needs no probes, and the phases of collections. They come by in-process EventPipe sessions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "oriel/oriel.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// A session, on while somebody listens. Not two calls at a time.
class EventPipeSession {
 public:
  // Of the events of these keywords; `refused` is said once if the runtime refuses it.
  EventPipeSession(ProfilerInfo& info, uint64_t keywords, const char* refused)
      : info_(info), keywords_(keywords), refused_(refused) {}

  void turn(bool on);

 private:
  ProfilerInfo& info_;
  uint64_t keywords_;
  const char* refused_;
  uint64_t session_ = 0;
  bool on_ = false;
  bool said_refused_ = false;
};

inline constexpr uint64_t kGcKeyword = 0x1;
inline constexpr uint64_t kAllocationSamplingKeyword = 0x80000000000;

// The events' numbers; what reads their fields tells nothing if they are not what they should be.
inline constexpr uint32_t kMarkWithType = 202;
inline constexpr uint32_t kGlobalHeapHistory = 205;
inline constexpr uint32_t kAllocationSampled = 303;

struct SampledAllocation {
  ClassID klass;
  uint64_t size;
  uint64_t represented;  // bytes allocated that it stands for
};
std::optional<SampledAllocation> read_sampled_allocation(std::span<const uint8_t> fields);

struct Marked {
  uint32_t heap;
  oriel_gc_roots roots;
  uint64_t promoted;
};
std::optional<Marked> read_marked(std::span<const uint8_t> fields);

struct PhaseTimes {  // nanoseconds, as oriel_event_gc_phases has them
  bool background = false;
  uint64_t roots = 0;
  uint64_t weak = 0;
  uint64_t finalization = 0;
  uint64_t plan = 0;
  uint64_t relocate = 0;
  uint64_t compact = 0;
  uint64_t sweep = 0;
};
std::optional<PhaseTimes> read_phase_times(std::span<const uint8_t> fields);

}  // namespace oriel::coreclr
