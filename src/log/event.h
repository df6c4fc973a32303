// One decoded event of a thread: one of events.def, or one that only exists as a packed code (packed_events.def).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace oriel::log {

// What the fields of events and records mean: the kinds of events.def, and those that only records have.
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
  kNumber,  // a double as its bits
  kAddress,
  kText,
  kGcEvent,
  kGcReason,
  kGcTrigger,
  kPoolReason,
  kGcRoots,
  kSuspendReason,
  kClauseKind,
  kClauseIndex,
  kContext,  // never in a log
  // Only of records (layout.h, records.h).
  kPlain,          // a number, or the id of the very thing that the record is about
  kLibrary,        // an id
  kNative,         // an id
  kNode,           // the id of a node of the tree of sampled stacks
  kCoverageImage,  // the number of an image of the same block
  kCounter,        // when: a raw counter
  kEnd,            // when what began at the record's kCounter ended
  kTicks,          // how long, in counts of the counter
  kPeriods,        // sampling periods, mostly 1
  kLoaded,         // bits of LoadKind
  kRawName,        // a name as metadata has it, "" if that is no other
};

// For kClauseIndex: the runtime did not provide it.
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

// The event with that number, or nullptr; and an event of events.def by name.
const EventDescription* describe_event(uint32_t number);
const EventDescription* describe_event(std::string_view name);
// Those of events.def.
std::span<const EventDescription> all_events();

// "catch", "induced", …: an enumerator's name; "" if the kind is no enumeration or the value is unknown.
std::string_view enumerator_name(FieldKind kind, uint64_t value);

inline constexpr size_t kMaxFields = 8;

struct Event {
  enum : uint32_t {
#define ORIEL_PACKED_EVENT(number, symbol, name, fields) k##symbol = number,
#include "log/packed_events.def"
  };

  uint32_t number = 0;  // as in events.def, or one of the above
  uint64_t thread = 0;
  uint64_t counter = 0;  // absolute; for a gc_allocation that of the previous event
  // In the order of describe_event's fields, as many as the log has. A text's value is its length. The method of a
  // leave is 0 if its enter was not seen. For a gc_allocation the site is 0 if the log has none, and the object is
  // never known.
  uint64_t values[kMaxFields] = {};
  uint32_t value_count = 0;
  uint64_t stack = 0;     // for an allocation, also a sampled one: its stack's leaf node (StackNode::id), 0 if unknown
  std::string_view text;  // the event's text field, if it has one; valid only during the call
};

// An enter or a leave of a method, of which there are many: an Event without its thread.
struct Call {
  uint64_t counter = 0;
  uint32_t number = 0;  // method_enter, method_leave, method_exception_leave or method_tail_call
  uint32_t method = 0;  // of a leave, 0 if its enter was not seen
};

}  // namespace oriel::log
