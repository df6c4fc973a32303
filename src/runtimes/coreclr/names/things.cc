#include "runtimes/coreclr/names/things.h"

#include "engine/engine.h"
#include "runtimes/coreclr/names/class_text.h"

namespace oriel::coreclr {
namespace {

// Calls visit(module) for the modules of a class, of its element types and of its generic arguments.
template <typename Visit>
void for_each_module(ProfilerInfo& info, ClassID klass, const Visit& visit, int depth) {
  if (klass == 0 || depth == kMaxClassNesting) return;
  const Held held;
  uint32_t element_kind = 0, rank = 0;
  ClassID element = 0;
  if (info.IsArrayClass(held, klass, &element_kind, &element, &rank) == kOk) {
    return for_each_module(info, element, visit, depth + 1);
  }
  const ClassFacts facts = class_facts(info, klass);
  if (facts.module != 0) visit(facts.module);
  for (const ClassID argument : facts.arguments) for_each_module(info, argument, visit, depth + 1);
}

template <typename Record>
void note_class(ProfilerInfo& info, Record& record, ClassID klass) {
  const auto note = [&](ModuleID module) { made_of(record, *intern_image(module)); };
  for_each_module(info, klass, note, 0);
}

}  // namespace

void for_each_module(ProfilerInfo& info, const FunctionFacts& facts, const std::function<void(ModuleID)>& visit) {
  for_each_module(info, facts.klass, visit, 0);
  for (const ClassID argument : facts.arguments) for_each_module(info, argument, visit, 0);
}

FunctionFacts function_facts(ProfilerInfo& info, FunctionID function) {
  const Held held;
  FunctionFacts facts;
  const bool known = ask_arguments(facts.arguments, [&](uint32_t room, uint32_t* count, ClassID* arguments) {
    return info.GetFunctionInfo2(held, function, 0, &facts.klass, &facts.module, &facts.token, room, count, arguments);
  });
  return known ? facts : FunctionFacts{};
}

oriel_method* method_of(ProfilerInfo& info, FunctionID function) {
  if (oriel_method* known = find_method(function)) return known;
  const Held held;
  Bool dynamic = 0;
  if (succeeded(info.IsFunctionDynamic(held, function, &dynamic)) && dynamic) return intern_method(function);
  const FunctionFacts facts = function_facts(info, function);
  if (facts.module == 0) return intern_method(function);
  oriel_method* made = intern_method(function, intern_image(facts.module), facts.token);
  note_parts(info, *made, facts);
  return made;
}

oriel_class* class_of_id(ProfilerInfo& info, ClassID klass, oriel_image* image, Token token) {
  if (oriel_class* known = find_class(klass)) return known;
  if (image == nullptr) {
    const ClassFacts facts = class_facts(info, klass);
    if (facts.module == 0) return intern_class(klass);
    image = intern_image(facts.module);
    token = facts.token;
  }
  oriel_class* made = intern_class(klass, image, token);
  note_parts(info, *made);
  return made;
}

void note_parts(ProfilerInfo& info, oriel_class& klass) { note_class(info, klass, klass.runtime_id); }

void note_parts(ProfilerInfo& info, oriel_method& method, const FunctionFacts& facts) {
  note_class(info, method, facts.klass);
  for (const ClassID argument : facts.arguments) note_class(info, method, argument);
}

}  // namespace oriel::coreclr
