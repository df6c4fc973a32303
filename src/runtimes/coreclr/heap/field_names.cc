#include "runtimes/coreclr/heap/field_names.h"

#include <iterator>
#include <span>
#include <vector>

#include "metadata/written_name.h"
#include "runtimes/coreclr/com/wide_text.h"

namespace oriel::coreclr {
namespace {

struct Field {
  std::string name;
  uint32_t attributes = 0;             // II.23.1.5
  std::span<const uint8_t> signature;  // II.23.2.4
};

Field field_of(const ModuleMetadata& metadata, Token token) {
  Field field;
  const uint8_t* signature = nullptr;
  uint32_t size = 0;
  field.name = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return metadata.import().GetFieldProps(token, nullptr, text, room, length, &field.attributes, &signature, &size,
                                           nullptr, nullptr, nullptr);
  });
  if (signature != nullptr) field.signature = {signature, size};
  return field;
}

void add_own_fields(const Names& names, const Held& held, ClassID klass, ModuleID module, uint32_t shift,
                    std::map<uint32_t, std::string>& fields) {
  uint32_t count = 0, size = 0;
  if (failed(names.info.GetClassLayout(held, klass, nullptr, 0, &count, &size)) || count == 0) return;
  std::vector<FieldOffset> offsets(count);
  if (failed(names.info.GetClassLayout(held, klass, offsets.data(), count, &count, &size))) return;
  const ModuleMetadata metadata = names.modules.metadata(module);
  if (!metadata.is_open()) return;
  for (const FieldOffset& offset : offsets)
    fields[offset.offset + shift] = metadata::source_field_name(field_of(metadata, offset.field).name);
}

}  // namespace

bool is_value_type(ProfilerInfo& info, const Held& held, ClassID klass) {
  uint32_t offset = 0;
  return succeeded(info.GetBoxClassLayout(held, klass, &offset));
}

std::map<uint32_t, std::string> instance_fields(const Names& names, const Held& held, ClassID klass) {
  std::map<uint32_t, std::string> fields;
  const uint32_t shift = is_value_type(names.info, held, klass) ? sizeof(void*) : 0;
  for (int depth = 0; klass != 0 && depth < 64; ++depth) {
    ModuleID module = 0;
    Token type = 0;
    ClassID base = 0;
    uint32_t arguments = 0;
    if (failed(names.info.GetClassIDInfo2(held, klass, &module, &type, &base, 0, &arguments, nullptr))) break;
    add_own_fields(names, held, klass, module, shift, fields);
    klass = base;
  }
  return fields;
}

std::map<uint32_t, std::string> element_fields(const Names& names, const Held& held, ClassID array) {
  uint32_t kind = 0, rank = 0;
  ClassID element = 0;
  std::map<uint32_t, std::string> fields;
  if (names.info.IsArrayClass(held, array, &kind, &element, &rank) != kOk || element == 0 ||
      !is_value_type(names.info, held, element))
    return fields;
  const ClassFacts facts = class_facts(names.info, element);
  add_own_fields(names, held, element, facts.module, 0, fields);
  return fields;
}

std::map<uintptr_t, std::string> static_fields(const Names& names, const Held& held, ClassID klass) {
  constexpr uint32_t kStatic = 0x10, kLiteral = 0x40, kHasRva = 0x100;
  std::map<uintptr_t, std::string> fields;
  const ClassFacts facts = class_facts(names.info, klass);
  const ModuleMetadata metadata = names.modules.metadata(facts.module);
  if (!metadata.is_open()) return fields;
  AppDomainID domain = 0;
  uint32_t domains = 0;
  if (failed(names.info.GetAppDomainsContainingModule(held, facts.module, 1u, &domains, &domain))) return fields;
  for (const Token token : metadata.fields_of(facts.token)) {
    const Field field = field_of(metadata, token);
    if ((field.attributes & kStatic) == 0 || (field.attributes & (kLiteral | kHasRva)) != 0) continue;
    void* address = nullptr;
    if (succeeded(names.info.GetAppDomainStaticAddress(held, klass, token, domain, &address)))
      fields[reinterpret_cast<uintptr_t>(address)] = metadata::source_field_name(field.name);
  }
  return fields;
}

namespace {

enum class Holds : uint8_t { kReference, kValue, kUnknown };

// II.23.1.16. What a type parameter is, another knows.
Holds what_it_holds(std::span<const uint8_t> signature) {
  constexpr uint8_t kString = 0x0e, kClass = 0x12, kVar = 0x13, kArray = 0x14, kGeneric = 0x15, kObject = 0x1c,
                    kVector = 0x1d, kRequiredModifier = 0x1f, kOptionalModifier = 0x20;
  if (signature.size() < 2) return Holds::kUnknown;
  switch (signature[1]) {
    case kString:
    case kClass:
    case kArray:
    case kObject:
    case kVector:
      return Holds::kReference;
    case kGeneric:
      return signature.size() > 2 && signature[2] == kClass ? Holds::kReference : Holds::kValue;
    case kVar:
    case kRequiredModifier:
    case kOptionalModifier:
      return Holds::kUnknown;
    default:
      return Holds::kValue;
  }
}

}  // namespace

std::vector<std::string> thread_static_references(const Names& names, const Held&, ClassID klass) {
  constexpr uint32_t kStatic = 0x10;
  std::vector<std::string> fields;
  const ClassFacts facts = class_facts(names.info, klass);
  const ModuleMetadata metadata = names.modules.metadata(facts.module);
  if (!metadata.is_open()) return fields;
  for (const Token token : metadata.fields_of(facts.token)) {
    const Field field = field_of(metadata, token);
    const void* blob = nullptr;
    uint32_t size = 0;
    if ((field.attributes & kStatic) == 0 ||
        metadata.import().GetCustomAttributeByName(token, u"System.ThreadStaticAttribute", &blob, &size) != kOk)
      continue;
    const Holds holds = what_it_holds(field.signature);
    if (holds == Holds::kUnknown) return {};
    if (holds == Holds::kReference) fields.push_back(metadata::source_field_name(field.name));
  }
  return fields;
}

std::string field_at(const std::map<uint32_t, std::string>& fields, uint32_t offset) {
  auto after = fields.upper_bound(offset);
  return after == fields.begin() ? "" : std::prev(after)->second;
}

}  // namespace oriel::coreclr
