// One event of a thread, decoded: either one of events.def with its fields, or one that only version 1's codes have.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace oriel::log {

// What the fields of an event mean: the kinds of events.def.
enum class FieldKind : uint8_t {
  kDomain,
  kAssembly,
  kImage,
  kClass,
  kMethod,
  kThread,
  kObject,  // the id of the object's class
  kU32,
  kFlag,
  kBytes,
  kNanoseconds,
  kAddress,
  kText,
  kGcEvent,
  kGcReason,
  kSuspendReason,
  kClauseKind,
  kClauseIndex,
  kContext,  // never in a log
};

// Of kClauseIndex: the runtime did not tell it.
inline constexpr uint64_t kNoClauseIndex = 0xffffffff;

struct FieldDescription {
  FieldKind kind;
  const char* name;
};

struct EventDescription {
  uint32_t number;
  const char* name;
  const char* group;
  bool has_stack;
  std::span<const FieldDescription> fields;
};

// The event of that number in events.def, or nullptr. And by its name.
const EventDescription* describe_event(uint32_t number);
const EventDescription* describe_event(std::string_view name);
std::span<const EventDescription> all_events();

// "catch", "induced", …: an enumerator's name; "" if the kind is no enumeration or the value is unknown.
std::string_view enumerator_name(FieldKind kind, uint64_t value);

inline constexpr size_t kMaxFields = 8;

struct Event {
  // Codes for events that are no line of events.def, above every number there.
  enum : uint32_t {
    kEnter = 1000,
    kLeave = 1001,
    kAllocation = 1002,
    kMethodJit = 1003,
    kMethodFreed = 1004,
    kClassLoad = 1005,
    kClassUnload = 1006,
    kClassException = 1007,
    kThreadStart = 1008,
    kThreadEnd = 1009,
    kGcStart = 1010,
    kGcEnd = 1011,
    kGcMarkStart = 1012,
    kGcMarkEnd = 1013,
    kGcSweepStart = 1014,
    kGcSweepEnd = 1015,
    kGcResize = 1016,
    kCallsLost = 1017  // from here on the thread's call stack is not known
  };

  uint32_t number = 0;  // as in events.def, or one of the above
  uint64_t thread = 0;
  uint64_t counter = 0;  // absolute; of an allocation: that of the event before it
  // Values in the order of the fields; of events above 1000: values[0] is the main value (id, size), values[1] the
  // secondary one where it is no time (allocation: bytes), or 1 for failure; of a leave, how: 0 normally, 1 by
  // exception, 2 by tail call (an implicit one's method is 0 if its enter was not seen); of an allocation of version 2,
  // values[2] is the method whose code makes it, 0 if not known; of kCallsLost, values[0] is how many events were lost.
  // A text's value is its length.
  uint64_t values[kMaxFields] = {};
  uint32_t value_count = 0;
  uint64_t stack = 0;     // of an allocation, a sampled one too: its stack's leaf node (StackNode::id), 0 if not known
  std::string_view text;  // of the event's text field, if it has one; valid only during the call
};

}  // namespace oriel::log
