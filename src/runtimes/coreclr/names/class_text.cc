#include "runtimes/coreclr/names/class_text.h"

#include "metadata/written_name.h"

namespace oriel::coreclr {
namespace {

using metadata::Style;

std::string text_of(const Names& names, ClassID klass, Style style, int depth);

std::vector<std::string> texts_of(const Names& names, const std::vector<ClassID>& arguments,
                                  const std::vector<std::string>& parameters, Style style, int depth) {
  static const std::string kCanon = "System.__Canon";
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::max(arguments.size(), parameters.size()); ++i) {
    std::string text = i < arguments.size() ? text_of(names, arguments[i], Style::kRaw, depth) : "";
    if (!text.empty() && style != Style::kRaw) {
      text = text == kCanon ? "" : text_of(names, arguments[i], style, depth);
    }
    if (text.empty()) text = i < parameters.size() ? metadata::written_parameter_name(parameters[i]) : "?";
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string array_text(const Names& names, uint32_t element_kind, ClassID element, uint32_t rank, Style style,
                       int depth) {
  std::string text = element != 0 ? text_of(names, element, style, depth) : "";
  if (text.empty()) text = metadata::primitive_text(static_cast<Element>(element_kind), style);
  if (text.empty()) text = "?";
  return text + "[" + std::string(rank > 1 ? rank - 1 : 0, ',') + "]";
}

std::string text_of(const Names& names, ClassID klass, Style style, int depth) {
  if (klass == 0 || depth == kMaxClassNesting) return {};
  const Held held;
  uint32_t element_kind = 0, rank = 0;
  ClassID element = 0;
  if (names.info.IsArrayClass(held, klass, &element_kind, &element, &rank) == kOk) {
    return array_text(names, element_kind, element, rank, style, depth + 1);
  }
  const ClassFacts facts = class_facts(names.info, klass);
  if (facts.token == 0) return {};
  const ModuleMetadata metadata = names.modules.metadata(facts.module);
  if (!metadata.is_open()) return {};
  const auto arguments =
      texts_of(names, facts.arguments, metadata.generic_parameter_names(facts.token), style, depth + 1);
  return metadata::type_text(metadata.type_path(facts.token), arguments, style);
}

}  // namespace

ClassFacts class_facts(ProfilerInfo& info, ClassID klass) {
  const Held held;
  ClassFacts facts;
  const bool known = ask_arguments(facts.arguments, [&](uint32_t room, uint32_t* count, ClassID* arguments) {
    return info.GetClassIDInfo2(held, klass, &facts.module, &facts.token, nullptr, room, count, arguments);
  });
  return known ? facts : ClassFacts{};
}

std::string class_text(const Names& names, ClassID klass, Style style) { return text_of(names, klass, style, 0); }

std::vector<std::string> argument_texts(const Names& names, const std::vector<ClassID>& arguments,
                                        const std::vector<std::string>& parameters, Style style) {
  return texts_of(names, arguments, parameters, style, 0);
}

std::string SignatureScope::internal_type(uint64_t handle, Style style) const {
  return class_text(names_, static_cast<ClassID>(handle), style);
}

std::string SignatureScope::parameter(const Generics& generics, uint32_t index, Style style) const {
  const std::vector<std::string> texts = argument_texts(names_, generics.arguments, generics.parameters, style);
  return index < texts.size() ? texts[index] : "?";
}

std::string SignatureScope::class_parameter(uint32_t index, Style style) const {
  return parameter(of_class, index, style);
}

std::string SignatureScope::method_parameter(uint32_t index, Style style) const {
  return parameter(of_method, index, style);
}

}  // namespace oriel::coreclr
