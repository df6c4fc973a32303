#include "runtimes/coreclr/heap/known_types.h"

#include <algorithm>
#include <iterator>

#include "metadata/written_name.h"
#include "runtimes/coreclr/heap/field_names.h"

namespace oriel::coreclr {

struct KnownTypeRow {
  // A field of 32 bits, and which of them count.
  struct Field {
    oriel_heap_value what{};
    std::string_view name;
    uint32_t mask = UINT32_MAX;
  };
  std::string_view name;
  oriel_heap_type_kind kind;
  Field fields[2];
  std::string_view storage;
};

namespace {

constexpr uint32_t kEndedTask = 0x1600000;  // Task.m_stateFlags: ran to completion, canceled, faulted
constexpr std::string_view kStateMachine = "StateMachine", kState = "<>1__state";

constexpr KnownTypeRow kRows[] = {
    {"System.MulticastDelegate", ORIEL_HEAP_DELEGATE, {}, ""},
    {"System.Threading.TimerQueueTimer",
     ORIEL_HEAP_OTHER,
     {{ORIEL_HEAP_DUE, "_dueTime"}, {ORIEL_HEAP_PERIOD, "_period"}},
     ""},
    {"System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1",
     ORIEL_HEAP_ASYNC,
     {{ORIEL_HEAP_TASK_FLAGS, "m_stateFlags", kEndedTask}},
     ""},
    {"System.Collections.Generic.List`1", ORIEL_HEAP_OTHER, {{ORIEL_HEAP_COUNT, "_size"}}, "_items"},
    {"System.Collections.Generic.Queue`1", ORIEL_HEAP_OTHER, {{ORIEL_HEAP_COUNT, "_size"}}, "_array"},
    {"System.Collections.Generic.Stack`1", ORIEL_HEAP_OTHER, {{ORIEL_HEAP_COUNT, "_size"}}, "_array"},
    {"System.Collections.Generic.PriorityQueue`2", ORIEL_HEAP_OTHER, {{ORIEL_HEAP_COUNT, "_size"}}, "_nodes"},
    {"System.Collections.Generic.SortedList`2", ORIEL_HEAP_OTHER, {{ORIEL_HEAP_COUNT, "_size"}}, "values"},
    {"System.Collections.Generic.Dictionary`2",
     ORIEL_HEAP_OTHER,
     {{ORIEL_HEAP_COUNT, "_count"}, {ORIEL_HEAP_FREE, "_freeCount"}},
     "_entries"},
    {"System.Collections.Generic.HashSet`1",
     ORIEL_HEAP_OTHER,
     {{ORIEL_HEAP_COUNT, "_count"}, {ORIEL_HEAP_FREE, "_freeCount"}},
     "_entries"},
    {"System.Collections.ArrayList", ORIEL_HEAP_OTHER, {{ORIEL_HEAP_COUNT, "_size"}}, "_items"},
    {"System.Text.StringBuilder", ORIEL_HEAP_OTHER, {{ORIEL_HEAP_COUNT, "m_ChunkLength"}}, "m_ChunkChars"},
};

uint32_t offset_of(const std::map<uint32_t, std::string>& fields, std::string_view name) {
  if (name.empty()) return 0;
  const auto found = std::ranges::find(fields, name, &std::map<uint32_t, std::string>::value_type::second);
  return found == fields.end() ? 0 : found->first;
}

metadata::MadeType made(const ModuleMetadata& metadata, Token type, std::string_view method) {
  return metadata::made_type(metadata::split_arity(metadata.type_path(type).names.back()).name, method);
}

// The class in the source that a compiler's class lies in, with a point behind it.
std::string written_around(const ModuleMetadata& metadata, Token type) {
  Token outer = metadata.enclosing_type(type);
  while (outer != 0 && made(metadata, outer, "").origin != metadata::TypeOrigin::kWritten)
    outer = metadata.enclosing_type(outer);
  return outer == 0 ? "" : metadata::type_text(metadata.type_path(outer), {}, metadata::Style::kFull) + ".";
}

std::string lambdas_of(const ModuleMetadata& metadata, Token closure) {
  constexpr size_t kMostNamed = 3;
  std::vector<std::string> names;
  for (const Token method : metadata.methods_of(closure)) {
    const std::string name = metadata.named_method(method).name, written = metadata::source_method_name(name);
    if (written != name && names.size() <= kMostNamed) names.push_back(written);
  }
  if (names.empty()) return "";
  std::string text = written_around(metadata, closure) + names.front();
  for (size_t i = 1; i < names.size(); ++i) text += i < kMostNamed ? ", " + names[i] : ", …";
  return text;
}

void add_closure(const ModuleMetadata& metadata, Token type, KnownType& known) {
  const metadata::MadeType origin = made(metadata, type, "Invoke");
  if (origin.origin == metadata::TypeOrigin::kClosure) known.made_of = lambdas_of(metadata, type);
  if (origin.origin == metadata::TypeOrigin::kLambda) known.made_of = written_around(metadata, type) + origin.method;
  if (origin.origin == metadata::TypeOrigin::kClosure || origin.origin == metadata::TypeOrigin::kLambda)
    known.kind = ORIEL_HEAP_CLOSURE;
}

// The state machine is a structure in the box, in code that is not optimized a class of its own.
void add_state_machine(const Names& names, const Held& held, const ClassFacts& box,
                       const std::map<uint32_t, std::string>& fields, KnownType& known) {
  if (box.arguments.empty()) return;
  const ClassID machine = box.arguments.back();
  const ClassFacts facts = class_facts(names.info, machine);
  const ModuleMetadata metadata = names.modules.metadata(facts.module);
  if (facts.token == 0 || !metadata.is_open()) return;
  const metadata::MadeType origin = made(metadata, facts.token, "MoveNext");
  if (origin.origin == metadata::TypeOrigin::kStateMachine)
    known.made_of = written_around(metadata, facts.token) + metadata::source_method_name(origin.method);
  const uint32_t in_box = offset_of(fields, kStateMachine);
  if (in_box == 0 || !is_value_type(names.info, held, machine)) return;
  const uint32_t state = offset_of(instance_fields(names, held, machine), kState);
  if (state != 0) known.values.push_back({ORIEL_HEAP_AWAIT, in_box + state - uint32_t{sizeof(void*)}, UINT32_MAX});
}

}  // namespace

const KnownTypeRow* KnownTypes::row_of(const ModuleMetadata& metadata, ModuleID module, Token token) {
  const auto [at, is_new] = rows_.try_emplace({module, token}, nullptr);
  if (!is_new) return at->second;
  const metadata::TypePath path = metadata.type_path(token);
  std::string name = path.name_space;
  for (const std::string& part : path.names) name += (&part == path.names.data() ? "." : "+") + part;
  const auto found = std::ranges::find(kRows, name, &KnownTypeRow::name);
  if (found != std::end(kRows)) at->second = found;
  return at->second;
}

KnownType KnownTypes::of(const Held& held, ClassID klass, const std::map<uint32_t, std::string>& fields) {
  constexpr int kMostBases = 64;
  KnownType known;
  if (is_value_type(names_.info, held, klass)) {
    known.kind = ORIEL_HEAP_BOX;
    return known;
  }
  for (int depth = 0; klass != 0 && depth < kMostBases; ++depth) {
    ModuleID module = 0;
    Token token = 0;
    ClassID base = 0;
    uint32_t arguments = 0;
    if (failed(names_.info.GetClassIDInfo2(held, klass, &module, &token, &base, 0, &arguments, nullptr)) || token == 0)
      break;
    const ModuleMetadata metadata = names_.modules.metadata(module);
    if (!metadata.is_open()) break;
    if (depth == 0) add_closure(metadata, token, known);
    if (const KnownTypeRow* const row = row_of(metadata, module, token)) {
      known.kind = row->kind;
      for (const KnownTypeRow::Field& field : row->fields)
        if (const uint32_t offset = offset_of(fields, field.name); offset != 0)
          known.values.push_back({field.what, offset, field.mask});
      known.storage = offset_of(fields, row->storage);
      if (row->kind == ORIEL_HEAP_ASYNC)
        add_state_machine(names_, held, class_facts(names_.info, klass), fields, known);
      break;
    }
    klass = base;
  }
  return known;
}

}  // namespace oriel::coreclr
