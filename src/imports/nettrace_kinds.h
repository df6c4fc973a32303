// The events of the runtime that a log can have, as a .nettrace file names them.
#pragma once

#include <cstdint>

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
  kIgnored,  // says what another event says too, or is only about the recording
};

TraceWhat what_is(const TraceKind& kind);

}  // namespace oriel::imports
