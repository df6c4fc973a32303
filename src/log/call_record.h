// What a thread's calls and allocations are to the writer: numbers only, in the order in which they came.
#pragma once

#include <cstdint>

namespace oriel::log {

enum class CallKind : uint8_t {
  kEnter = 1,         // method_enter: id: the method; value: counter, absolute
  kLeave,             // method_leave: id: the method, 0 if not known; value: counter, absolute
  kLeaveByException,  // method_exception_leave: likewise
  kLeaveByTailCall,   // method_tail_call: likewise
  kAllocation,        // gc_allocation: id: the class; value: bytes
  kSite,              // id: the method whose code makes the allocations that follow, 0 if not known
  kLost,              // value: how many were lost here; what is on the thread's stack is not known from here on
  kStack,             // value: the node of the stack of the allocations that follow, 0 if not known
};

struct CallRecord {
  CallKind kind = CallKind::kEnter;
  uint32_t id = 0;
  uint64_t value = 0;
};

}  // namespace oriel::log
