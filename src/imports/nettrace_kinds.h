// The events that a log can have, as a .nettrace file names them.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "imports/nettrace_blocks.h"

namespace oriel::imports {

enum class TraceWhat : uint8_t {
  kOther,  // nothing that a log has
  kSample,
  kMethodThere,  // rundown: code that is there as recording begins or ends
  kMethodLoaded,
  kMethodUnloaded,
  kMethodCompiling,
  kModuleThere,
  kModuleLoaded,
  kProcess,
  kRuntime,
  kGcStart,
  kGcEnd,
  kGcHeap,
  kSuspendBegin,
  kSuspendEnd,
  kResumeBegin,
  kResumeEnd,
  kAllocationTick,
  kAllocationSampled,
  kThrow,
  kCatch,
  kLockWait,
  kLockTaken,
  kPool,
  // Of a trace of a machine.
  kCpuSample,
  kProcessName,
  kMapping,
  kSymbol,
  kIgnored,  // says what another event says too, or is only about the recording
};

TraceWhat what_is(const TraceKind& kind);

// The kinds that a file tells, by their numbers. An event may be of another version than its kind.
class TraceKinds {
 public:
  struct Known {
    TraceWhat what = TraceWhat::kOther;
    uint32_t version = 0;
    bool counted = false;  // for the caller
  };

  void add(uint32_t number, const TraceKind& kind);
  // The event's; nullptr if its kind is not told. Valid until the next add.
  Known* find(const TraceEvent& event);

 private:
  struct Told {
    TraceKind kind;
    Known known;
    std::map<uint32_t, Known> others;  // by version
  };
  std::unordered_map<uint32_t, Told> told_;
};

}  // namespace oriel::imports
