// One event of a thread, decoded: one of events.def, or one that only packed codes have (packed_events.def).
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
  kNumber,  // a double by its bits
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

// The event of that number, or nullptr if there is none; and of events.def by its name.
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
  uint64_t counter = 0;  // absolute; of a gc_allocation: that of the event before it
  // In the order of the fields that describe_event tells, as many as the log has. A text's value is its length. The
  // method of a leave is 0 where its enter was not seen. Of a gc_allocation the site is 0 where the log has none, and
  // the object is never known.
  uint64_t values[kMaxFields] = {};
  uint32_t value_count = 0;
  uint64_t stack = 0;     // of an allocation, a sampled one too: its stack's leaf node (StackNode::id), 0 if not known
  std::string_view text;  // of the event's text field, if it has one; valid only during the call
};

}  // namespace oriel::log
