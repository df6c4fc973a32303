#include "report/dump/event_line.h"

#include <fmt/format.h>

#include <bit>

#include "report/words/function_name.h"

namespace oriel::report {

using log::Event;
using log::FieldKind;

namespace {

// The key of an id beside its name's: "method_id", "site_id"; of most kinds an event has only one. "" of what is no id.
std::string id_key(FieldKind kind, const char* name) {
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
      return std::string(name) + "_id";
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
  if (kind == FieldKind::kNumber) return line.add(name, fmt::format("{}", std::bit_cast<double>(value)));
  if (kind == FieldKind::kAddress) return line.add(name, fmt::format("{:#x}", value));
  if (!enumerator.empty()) return line.add(name, enumerator);
  const std::string id = id_key(kind, name);
  if (!id.empty() && value == 0) return;  // there is none
  if (kind == FieldKind::kClauseIndex && value == log::kNoClauseIndex) return;
  const std::string known = name_of(kind, value, names, survey);
  // "thread" is the key of the thread that an event happened on.
  if (!known.empty()) line.add(kind == FieldKind::kThread ? "which" : name, known);
  line.add(id.empty() ? name : id, value);
}

}  // namespace

void add_event_fields(const Event& event, const profile::Names& names, const DumpSurvey& survey, DumpLine& line) {
  const auto& fields = log::describe_event(event.number)->fields;
  for (size_t i = 0; i < fields.size() && i < event.value_count; ++i) {
    if (fields[i].kind != FieldKind::kContext) add_value(fields[i].kind, fields[i].name, event, i, names, survey, line);
  }
}

}  // namespace oriel::report
