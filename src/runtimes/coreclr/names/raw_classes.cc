// Classes as the metadata has them.
#include "engine/engine.h"
#include "runtimes/coreclr/names/describe.h"
#include "runtimes/coreclr/names/things.h"

namespace oriel::coreclr {

std::string raw_name(const Names& names, const oriel_class& klass) {
  using metadata::Style;
  if (klass.runtime_id != 0) return class_text(names, klass.runtime_id, Style::kRaw);
  if (klass.image == nullptr) return {};
  const ModuleMetadata metadata = names.modules.metadata(klass.image->runtime_id);
  if (!metadata.is_open()) return {};
  const auto arguments = argument_texts(names, {}, metadata.generic_parameter_names(klass.token), Style::kRaw);
  return metadata::type_text(metadata.type_path(klass.token), arguments, Style::kRaw);
}

oriel_class* element_of(const Names& names, const oriel_class& klass) {
  const Held held;
  uint32_t element_kind = 0, rank = 0;
  ClassID element = 0;
  if (klass.runtime_id == 0 || names.info.IsArrayClass(held, klass.runtime_id, &element_kind, &element, &rank) != kOk)
    return nullptr;
  return element != 0 ? class_of_id(names.info, element) : nullptr;
}

oriel_class* declaring_class(const Names& names, const oriel_method& method) {
  const Held held;
  Bool dynamic = 0;
  if (method.runtime_id != 0 && succeeded(names.info.IsFunctionDynamic(held, method.runtime_id, &dynamic)) && dynamic)
    return nullptr;  // the runtime has it in a class of its own
  FunctionFacts facts;
  if (method.runtime_id != 0) facts = function_facts(names.info, method.runtime_id);
  if (facts.klass != 0) return class_of_id(names.info, facts.klass);
  oriel_image* const image = AtomicRef(method.image).load(std::memory_order_acquire);
  const Token token = facts.token != 0 ? facts.token : AtomicRef(method.token).load(std::memory_order_acquire);
  if (image == nullptr || token == 0) return nullptr;
  const ModuleMetadata metadata = names.modules.metadata(image->runtime_id);
  if (!metadata.is_open()) return nullptr;
  const Token type = metadata.named_method(token).type;
  return type != 0 ? intern_class(image, type) : nullptr;
}

}  // namespace oriel::coreclr
