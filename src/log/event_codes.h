// The code byte at the start of each event in an events block: one row a code, for the decoder and docs/FORMAT.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "log/event.h"
#include "log/format.h"
#include "oriel/oriel.h"

namespace oriel::log {

// The bytes after the code byte.
enum class EventShape : uint8_t {
  kNone,        // no event has this code
  kPackedId,    // INT id >> 5 (its low five bits are the code's upper five), INT delta
  kAllocation,  // INT id >> 5 likewise, INT bytes; from version 2 without bytes if the class has a fixed size
  kValue,       // INT value, INT delta
  kTop,         // INT delta; the method is the top of the thread's stack
  kExtended,    // INT number, INT delta, INT length, fields
  kLeave,       // INT id, INT delta
  kSite,        // INT id: of the allocations that follow in this block
  kStack,       // INT node: likewise
};

struct EventCode {
  uint8_t mask;  // code & mask == value: this row
  uint8_t value;
  EventShape shape;
  uint32_t number;        // Event::number
  uint8_t failure_bit;    // set in the code on failure; 0: never
  uint64_t since, until;  // versions
  const char* doc;
};

constexpr uint8_t event_code(Packed packed, unsigned upper) {
  return static_cast<uint8_t>(static_cast<unsigned>(packed) | upper << 3);
}
constexpr uint8_t other_code(unsigned kind, bool end) { return event_code(Packed::kOther, kind | (end ? 16u : 0u)); }
inline constexpr uint8_t kExtendedCode = event_code(Packed::kExtended, 1);
inline constexpr uint8_t kSiteCode = event_code(Packed::kExtended, 2);
inline constexpr uint8_t kCallsLostCode = event_code(Packed::kExtended, 3);
inline constexpr uint8_t kLeaveByExceptionCode = event_code(Packed::kExtended, 4);
inline constexpr uint8_t kLeaveByTailCallCode = event_code(Packed::kExtended, 5);
inline constexpr uint8_t kStackCode = event_code(Packed::kExtended, 6);

inline constexpr EventCode kEventCodes[] = {
    {0xff, kExtendedCode, EventShape::kExtended, 0, 0, 2, 2, "an event of events.def"},
    {0xff, kSiteCode, EventShape::kSite, 0, 0, 2, 2, "allocation site"},
    {0xff, kStackCode, EventShape::kStack, 0, 0, 2, 2, "allocation stack"},
    {0xff, kCallsLostCode, EventShape::kValue, Event::kCallsLost, 0, 2, 2, "calls lost"},
    {0xff, kLeaveByExceptionCode, EventShape::kLeave, oriel_event_method_exception_leave, 0, 2, 2,
     "method_exception_leave, explicit"},
    {0xff, kLeaveByTailCallCode, EventShape::kLeave, oriel_event_method_tail_call, 0, 2, 2,
     "method_tail_call, explicit"},
    {0x07, event_code(Packed::kEnter, 0), EventShape::kPackedId, oriel_event_method_enter, 0, 1, 2, "method_enter"},
    {0x07, event_code(Packed::kLeaveImplicit, 0), EventShape::kPackedId, oriel_event_method_leave, 0, 1, 1,
     "method_leave, implicit"},
    {0xff, event_code(Packed::kLeaveImplicit, 0), EventShape::kTop, oriel_event_method_leave, 0, 2, 2,
     "method_leave, implicit"},
    {0xff, event_code(Packed::kLeaveImplicit, 1), EventShape::kTop, oriel_event_method_exception_leave, 0, 2, 2,
     "method_exception_leave, implicit"},
    {0xff, event_code(Packed::kLeaveImplicit, 2), EventShape::kTop, oriel_event_method_tail_call, 0, 2, 2,
     "method_tail_call, implicit"},
    {0x07, event_code(Packed::kLeaveExplicit, 0), EventShape::kPackedId, oriel_event_method_leave, 0, 1, 2,
     "method_leave, explicit"},
    {0x07, event_code(Packed::kAllocation, 0), EventShape::kAllocation, oriel_event_gc_allocation, 0, 1, 2,
     "gc_allocation"},
    {0x0f, event_code(Packed::kMethod, 0), EventShape::kValue, Event::kMethodJit, 0x20, 1, 2, "method compiled"},
    {0x0f, event_code(Packed::kMethod, 1), EventShape::kValue, Event::kMethodFreed, 0x20, 1, 2, "method freed"},
    {0x1f, event_code(Packed::kClass, 0), EventShape::kValue, Event::kClassLoad, 0x20, 1, 2, "class load"},
    {0x1f, event_code(Packed::kClass, 1), EventShape::kValue, Event::kClassUnload, 0x20, 1, 2, "class unload"},
    {0x1f, event_code(Packed::kClass, 2), EventShape::kValue, Event::kClassException, 0x20, 1, 2,
     "exception of a class"},
    {0xff, other_code(1, false), EventShape::kValue, Event::kThreadStart, 0, 1, 2, "thread start"},
    {0xff, other_code(1, true), EventShape::kValue, Event::kThreadEnd, 0, 1, 2, "thread end"},
    {0xff, other_code(2, false), EventShape::kValue, Event::kGcStart, 0, 1, 2, "GC collection start"},
    {0xff, other_code(2, true), EventShape::kValue, Event::kGcEnd, 0, 1, 2, "GC collection end"},
    {0xff, other_code(3, false), EventShape::kValue, Event::kGcMarkStart, 0, 1, 2, "GC mark start"},
    {0xff, other_code(3, true), EventShape::kValue, Event::kGcMarkEnd, 0, 1, 2, "GC mark end"},
    {0xff, other_code(4, false), EventShape::kValue, Event::kGcSweepStart, 0, 1, 2, "GC sweep start"},
    {0xff, other_code(4, true), EventShape::kValue, Event::kGcSweepEnd, 0, 1, 2, "GC sweep end"},
    {0x7f, other_code(5, false), EventShape::kValue, Event::kGcResize, 0, 1, 2, "GC resize"},
};

// The row of each code byte, nullptr if there is none.
using EventCodeTable = std::array<const EventCode*, 256>;
constexpr EventCodeTable event_code_table(uint64_t version) {
  EventCodeTable table{};
  for (unsigned code = 1; code < 256; ++code) {
    for (const EventCode& row : kEventCodes) {
      if (version >= row.since && version <= row.until && (code & row.mask) == row.value) table[code] = &row;
    }
  }
  return table;
}

}  // namespace oriel::log
