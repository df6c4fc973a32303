#include "log/event.h"

#include "oriel/oriel.h"

namespace oriel::log {
namespace {

constexpr FieldKind kind_domain = FieldKind::kDomain;
constexpr FieldKind kind_assembly = FieldKind::kAssembly;
constexpr FieldKind kind_image = FieldKind::kImage;
constexpr FieldKind kind_class = FieldKind::kClass;
constexpr FieldKind kind_method = FieldKind::kMethod;
constexpr FieldKind kind_thread = FieldKind::kThread;
constexpr FieldKind kind_object = FieldKind::kObject;
constexpr FieldKind kind_u32 = FieldKind::kU32;
constexpr FieldKind kind_flag = FieldKind::kFlag;
constexpr FieldKind kind_bytes = FieldKind::kBytes;
constexpr FieldKind kind_nanoseconds = FieldKind::kNanoseconds;
constexpr FieldKind kind_number = FieldKind::kNumber;
constexpr FieldKind kind_address = FieldKind::kAddress;
constexpr FieldKind kind_text = FieldKind::kText;
constexpr FieldKind kind_gc_event = FieldKind::kGcEvent;
constexpr FieldKind kind_gc_reason = FieldKind::kGcReason;
constexpr FieldKind kind_gc_trigger = FieldKind::kGcTrigger;
constexpr FieldKind kind_pool_reason = FieldKind::kPoolReason;
constexpr FieldKind kind_gc_roots = FieldKind::kGcRoots;
constexpr FieldKind kind_suspend_reason = FieldKind::kSuspendReason;
constexpr FieldKind kind_clause_kind = FieldKind::kClauseKind;
constexpr FieldKind kind_clause_index = FieldKind::kClauseIndex;
constexpr FieldKind kind_context = FieldKind::kContext;

constexpr bool stack_PLAIN = false;
constexpr bool stack_STACK = true;

#define ORIEL_FIELD_A(kind, name) {kind_##kind, #name}, ORIEL_FIELD_B
#define ORIEL_FIELD_B(kind, name) {kind_##kind, #name}, ORIEL_FIELD_A
#define ORIEL_FIELD_A_END
#define ORIEL_FIELD_B_END

// The fields of each event, plus an unused one: an array cannot be empty.
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  constexpr FieldDescription fields_of_##name[] = {ORIEL_SEQ(ORIEL_FIELD, fields){kind_context, ""}};
#include "oriel/events.def"
#undef ORIEL_EVENT

#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  {number, #name, #group, stack_##stack, {fields_of_##name, std::size(fields_of_##name) - 1}},
constexpr EventDescription kEvents[] = {
#include "oriel/events.def"
};
#undef ORIEL_EVENT

#define ORIEL_PACKED_EVENT(number, symbol, name, fields) \
  constexpr FieldDescription fields_of_packed_##name[] = {ORIEL_SEQ(ORIEL_FIELD, fields)};
#include "log/packed_events.def"

#define ORIEL_PACKED_EVENT(number, symbol, name, fields) {number, #name, "", false, fields_of_packed_##name},
constexpr EventDescription kPackedEvents[] = {
#include "log/packed_events.def"
};

enum EventIndex : size_t {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) index_of_##name,
#include "oriel/events.def"
#undef ORIEL_EVENT
};

#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  static_assert(number > 0 && number < oriel_event_number_end && std::size(fields_of_##name) - 1 <= kMaxFields);
#include "oriel/events.def"
#undef ORIEL_EVENT

static_assert(kNoClauseIndex == ORIEL_NO_CLAUSE_INDEX);

std::string_view gc_event_name(uint64_t value) {
  switch (value) {
    case ORIEL_GC_PRE_STOP_WORLD:
      return "pre-stop-world";
    case ORIEL_GC_POST_STOP_WORLD:
      return "post-stop-world";
    case ORIEL_GC_START:
      return "start";
    case ORIEL_GC_END:
      return "end";
    case ORIEL_GC_PRE_START_WORLD:
      return "pre-start-world";
    case ORIEL_GC_POST_START_WORLD:
      return "post-start-world";
    default:
      return "";
  }
}

std::string_view gc_reason_name(uint64_t value) {
  switch (value) {
    case ORIEL_GC_REASON_OTHER:
      return "other";
    case ORIEL_GC_REASON_INDUCED:
      return "induced";
    default:
      return "";
  }
}

std::string_view gc_trigger_name(uint64_t value) {
  switch (value) {
    case ORIEL_GC_TRIGGER_OTHER:
      return "other";
    case ORIEL_GC_TRIGGER_SMALL_OBJECTS:
      return "small-objects";
    case ORIEL_GC_TRIGGER_LARGE_OBJECTS:
      return "large-objects";
    case ORIEL_GC_TRIGGER_INDUCED:
      return "induced";
    case ORIEL_GC_TRIGGER_LOW_MEMORY:
      return "low-memory";
    case ORIEL_GC_TRIGGER_OUT_OF_SPACE:
      return "out-of-space";
    default:
      return "";
  }
}

std::string_view pool_reason_name(uint64_t value) {
  switch (value) {
    case ORIEL_POOL_REASON_OTHER:
      return "other";
    case ORIEL_POOL_REASON_THROUGHPUT:
      return "throughput";
    case ORIEL_POOL_REASON_STARVATION:
      return "starvation";
    case ORIEL_POOL_REASON_BLOCKING:
      return "blocking";
    case ORIEL_POOL_REASON_IDLE:
      return "idle";
    default:
      return "";
  }
}

std::string_view gc_roots_name(uint64_t value) {
  switch (value) {
    case ORIEL_GC_ROOTS_OTHER:
      return "other";
    case ORIEL_GC_ROOTS_STACKS:
      return "stacks";
    case ORIEL_GC_ROOTS_FINALIZER_QUEUE:
      return "finalizer-queue";
    case ORIEL_GC_ROOTS_HANDLES:
      return "handles";
    case ORIEL_GC_ROOTS_OLDER_GENERATIONS:
      return "older-generations";
    case ORIEL_GC_ROOTS_SIZED_REFERENCES:
      return "sized-references";
    case ORIEL_GC_ROOTS_OVERFLOW:
      return "overflow";
    case ORIEL_GC_ROOTS_DEPENDENT_HANDLES:
      return "dependent-handles";
    case ORIEL_GC_ROOTS_NEW_FINALIZABLE:
      return "new-finalizable";
    case ORIEL_GC_ROOTS_OTHER_HEAPS:
      return "other-heaps";
    case ORIEL_GC_ROOTS_BACKGROUND:
      return "background";
    default:
      return "";
  }
}

std::string_view suspend_reason_name(uint64_t value) {
  switch (value) {
    case ORIEL_SUSPEND_OTHER:
      return "other";
    case ORIEL_SUSPEND_GC:
      return "gc";
    case ORIEL_SUSPEND_GC_PREPARE:
      return "gc-prepare";
    case ORIEL_SUSPEND_CODE_PITCHING:
      return "code-pitching";
    case ORIEL_SUSPEND_SHUTDOWN:
      return "shutdown";
    case ORIEL_SUSPEND_DEBUGGER:
      return "debugger";
    case ORIEL_SUSPEND_PROFILER:
      return "profiler";
    case ORIEL_SUSPEND_REJIT:
      return "rejit";
    default:
      return "";
  }
}

std::string_view clause_kind_name(uint64_t value) {
  switch (value) {
    case ORIEL_CLAUSE_CATCH:
      return "catch";
    case ORIEL_CLAUSE_FILTER:
      return "filter";
    case ORIEL_CLAUSE_FINALLY:
      return "finally";
    case ORIEL_CLAUSE_FAULT:
      return "fault";
    default:
      return "";
  }
}

}  // namespace

const EventDescription* describe_event(uint32_t number) {
  switch (number) {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  case number:                                                               \
    return &kEvents[index_of_##name];
#include "oriel/events.def"
#undef ORIEL_EVENT
    default:
      break;
  }
  for (const EventDescription& event : kPackedEvents) {
    if (event.number == number) return &event;
  }
  return nullptr;
}

const EventDescription* describe_event(std::string_view name) {
  for (const EventDescription& event : kEvents) {
    if (event.name == name) return &event;
  }
  return nullptr;
}

std::span<const EventDescription> all_events() { return kEvents; }

std::string_view enumerator_name(FieldKind kind, uint64_t value) {
  switch (kind) {
    case FieldKind::kGcEvent:
      return gc_event_name(value);
    case FieldKind::kGcReason:
      return gc_reason_name(value);
    case FieldKind::kGcTrigger:
      return gc_trigger_name(value);
    case FieldKind::kPoolReason:
      return pool_reason_name(value);
    case FieldKind::kGcRoots:
      return gc_roots_name(value);
    case FieldKind::kSuspendReason:
      return suspend_reason_name(value);
    case FieldKind::kClauseKind:
      return clause_kind_name(value);
    default:
      return "";
  }
}

}  // namespace oriel::log
