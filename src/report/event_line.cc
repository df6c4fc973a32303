#include "report/event_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/function_name.h"

namespace oriel::report {

using log::Event;
using log::FieldKind;

namespace {

struct OwnEvent {
  uint32_t number;
  const char* kind;
  FieldKind main;  // of values[0]
  const char* main_name;
  const char* second;  // what values[1] is; nullptr: nothing
};

constexpr OwnEvent kOwnEvents[] = {
    {Event::kEnter, "enter", FieldKind::kMethod, "method", nullptr},
    {Event::kLeave, "leave", FieldKind::kMethod, "method", "how"},
    {Event::kAllocation, "allocation", FieldKind::kClass, "class", "bytes"},
    {Event::kMethodJit, "method_jit", FieldKind::kMethod, "method", "failed"},
    {Event::kMethodFreed, "method_freed", FieldKind::kMethod, "method", "failed"},
    {Event::kClassLoad, "class_load", FieldKind::kClass, "class", "failed"},
    {Event::kClassUnload, "class_unload", FieldKind::kClass, "class", "failed"},
    {Event::kClassException, "class_exception", FieldKind::kClass, "class", "failed"},
    {Event::kThreadStart, "thread_start", FieldKind::kThread, "which", nullptr},
    {Event::kThreadEnd, "thread_end", FieldKind::kThread, "which", nullptr},
    {Event::kGcStart, "gc_start", FieldKind::kU32, "generation", nullptr},
    {Event::kGcEnd, "gc_end", FieldKind::kU32, "generation", nullptr},
    {Event::kGcMarkStart, "gc_mark_start", FieldKind::kU32, "generation", nullptr},
    {Event::kGcMarkEnd, "gc_mark_end", FieldKind::kU32, "generation", nullptr},
    {Event::kGcSweepStart, "gc_sweep_start", FieldKind::kU32, "generation", nullptr},
    {Event::kGcSweepEnd, "gc_sweep_end", FieldKind::kU32, "generation", nullptr},
    {Event::kGcResize, "gc_resize", FieldKind::kBytes, "size", nullptr},
    {Event::kCallsLost, "calls_lost", FieldKind::kU32, "events", nullptr},
};

const OwnEvent* own_event(uint32_t number) {
  const auto* found = std::find_if(std::begin(kOwnEvents), std::end(kOwnEvents),
                                   [number](const OwnEvent& event) { return event.number == number; });
  return found == std::end(kOwnEvents) ? nullptr : found;
}

// Names of the id fields' companions: "method" → "method_id".
const char* id_name(FieldKind kind) {
  switch (kind) {
    case FieldKind::kDomain:
      return "domain_id";
    case FieldKind::kAssembly:
      return "assembly_id";
    case FieldKind::kImage:
      return "image_id";
    case FieldKind::kClass:
    case FieldKind::kObject:
      return "class_id";
    case FieldKind::kMethod:
      return "method_id";
    case FieldKind::kThread:
      return "which_id";
    default:
      return "";
  }
}

// A name for an id, "" for what mappings do not name.
std::string name_of(FieldKind kind, uint64_t id, const profile::Names& names, const DumpSurvey& survey) {
  switch (kind) {
    case FieldKind::kImage:
      return names.image_name(id);
    case FieldKind::kClass:
    case FieldKind::kObject:
      return names.class_name(id);
    case FieldKind::kMethod:
      return names.method_name(id);
    case FieldKind::kThread:
      return thread_label(survey.thread(id));
    default:
      return "";
  }
}

void add_value(FieldKind kind, const char* name, const Event& event, size_t index, const profile::Names& names,
               const DumpSurvey& survey, DumpLine& line) {
  const uint64_t value = event.values[index];
  const std::string enumerator(log::enumerator_name(kind, value));
  if (kind == FieldKind::kText) return line.add(name, std::string(event.text));
  if (kind == FieldKind::kFlag) return line.add_flag(name, value != 0);
  if (kind == FieldKind::kAddress) return line.add(name, fmt::format("{:#x}", value));
  if (!enumerator.empty()) return line.add(name, enumerator);
  const bool is_id = *id_name(kind) != '\0';
  if (is_id && value == 0) return;  // there is none
  if (kind == FieldKind::kClauseIndex && value == log::kNoClauseIndex) return;
  const std::string known = name_of(kind, value, names, survey);
  // "thread" is the key of the thread that an event happened on.
  if (!known.empty()) line.add(kind == FieldKind::kThread ? "which" : name, known);
  line.add(is_id ? id_name(kind) : name, value);
}

}  // namespace

std::string_view event_kind(uint32_t number) {
  if (const log::EventDescription* description = log::describe_event(number)) return description->name;
  const OwnEvent* own = own_event(number);
  return own ? own->kind : "unknown_event";
}

void add_event_fields(const Event& event, const profile::Names& names, const DumpSurvey& survey, DumpLine& line) {
  if (const log::EventDescription* description = log::describe_event(event.number)) {
    for (size_t i = 0; i < description->fields.size() && i < event.value_count; ++i) {
      const log::FieldDescription& field = description->fields[i];
      if (field.kind != FieldKind::kContext) add_value(field.kind, field.name, event, i, names, survey, line);
    }
    return;
  }
  const OwnEvent* own = own_event(event.number);
  if (!own) return line.add("number", event.number);
  add_value(own->main, own->main_name, event, 0, names, survey, line);
  if (!own->second) return;
  constexpr const char* kHow[] = {"normal", "exception", "tail call"};
  if (own->second == std::string_view("failed")) {
    line.add_flag("failed", event.values[1] != 0);
  } else if (own->second == std::string_view("how") && event.values[1] < std::size(kHow)) {
    line.add("how", std::string(kHow[event.values[1]]));
  } else {
    line.add(own->second, event.values[1]);
  }
  if (event.number == Event::kAllocation && event.value_count > 2 && event.values[2] != 0) {
    line.add("site", names.method_name(event.values[2]));
    line.add("site_id", event.values[2]);
  }
}

}  // namespace oriel::report
