#include "runtimes/coreclr/type_kinds.h"

#include "runtimes/coreclr/modules_metadata.h"

namespace oriel::coreclr {
namespace {

constexpr uint32_t kMaxName = 1024;

struct TypeName {
  std::u16string name;
  Token parent = 0;  // of a typeDef: what it extends; of a typeRef: its scope
};

TypeName definition_name(MetaDataImport& import, Token type) {
  char16_t text[kMaxName];
  uint32_t length = 0;
  TypeName found;
  if (failed(import.GetTypeDefProps(type, text, kMaxName, &length, nullptr, &found.parent))) return {};
  if (length > 0 && length <= kMaxName) found.name.assign(text, length - 1);
  return found;
}

TypeName reference_name(MetaDataImport& import, Token type) {
  char16_t text[kMaxName];
  uint32_t length = 0;
  TypeName found;
  if (failed(import.GetTypeRefProps(type, &found.parent, text, kMaxName, &length))) return {};
  if (length > 0 && length <= kMaxName) found.name.assign(text, length - 1);
  return found;
}

std::u16string name_of(MetaDataImport& import, Token type) {
  if (table_of(type) == kTypeDefTable) return definition_name(import, type).name;
  return table_of(type) == kTypeRefTable ? reference_name(import, type).name : std::u16string();
}

// II.23.2.14: GENERICINST, then CLASS or VALUETYPE.
TypeKind kind_of_signature(std::span<const uint8_t> signature) {
  constexpr uint8_t kValueType = 0x11, kVar = 0x13, kArray = 0x14, kGenericInst = 0x15, kSzArray = 0x1d, kMVar = 0x1e;
  if (signature.size() < 2) return TypeKind::kUnknown;
  switch (signature[0]) {
    case kVar:
    case kMVar:
      return TypeKind::kParameter;
    case kArray:
    case kSzArray:
      return TypeKind::kReference;
    case kGenericInst:
      return signature[1] == kValueType ? TypeKind::kValue : TypeKind::kReference;
    default:
      return TypeKind::kUnknown;
  }
}

}  // namespace

TypeKind TypeKinds::of(const MethodMetadata& metadata, Token type) {
  MetaDataImport& import = metadata.import();
  if (table_of(type) == kTypeDefTable) return of_definition(import, type);
  if (table_of(type) == kTypeSpecTable) {
    const uint8_t* signature = nullptr;
    uint32_t size = 0;
    if (failed(import.GetTypeSpecFromToken(type, &signature, &size))) return TypeKind::kUnknown;
    return kind_of_signature({signature, size});
  }
  if (table_of(type) != kTypeRefTable) return TypeKind::kUnknown;
  return of_reference(type_reference(import, type));
}

TypeKind TypeKinds::of_definition(MetaDataImport& import, Token type) {
  const TypeName definition = definition_name(import, type);
  if (definition.name.empty()) return TypeKind::kUnknown;
  if (definition.name == u"System.String") return TypeKind::kString;
  if (definition.name == u"System.Enum") return TypeKind::kReference;
  const std::u16string base = name_of(import, definition.parent);
  return base == u"System.ValueType" || base == u"System.Enum" ? TypeKind::kValue : TypeKind::kReference;
}

TypeKind TypeKinds::of_reference(const TypeReference& reference) {
  if (reference.names.empty()) return TypeKind::kUnknown;
  std::u16string key = reference.assembly;
  for (const std::u16string& name : reference.names) key += u'/' + name;
  {
    const std::lock_guard guard(lock_);
    const auto known = by_name_.find(key);
    if (known != by_name_.end()) return known->second;
  }
  const TypeKind kind = find(reference);
  const std::lock_guard guard(lock_);
  if (kind != TypeKind::kUnknown) by_name_.emplace(std::move(key), kind);
  return kind;
}

TypeKind TypeKinds::find(const TypeReference& reference) {
  const FoundType found = files_.find(reference);
  return found.type != 0 ? of_definition(*found.import, found.type) : find_in_modules(reference);
}

// What has no file (made in memory, or part of one that holds a whole program) is looked for by the type's name alone:
// which module a reference means takes resolving it, which loads what is not loaded.
TypeKind TypeKinds::find_in_modules(const TypeReference& reference) {
  TypeKind found = TypeKind::kUnknown;
  bool differ = false;
  modules_.for_each_loaded([&](ModuleID, MetaDataImport& import) {
    Token type = 0;
    for (const std::u16string& name : reference.names) {
      const Token outer = type;
      if (failed(import.FindTypeDefByName(name.c_str(), outer, &type)) || type == 0) return true;
    }
    const TypeKind kind = of_definition(import, type);
    differ = found != TypeKind::kUnknown && found != kind;
    found = kind;
    return !differ;
  });
  return differ ? TypeKind::kUnknown : found;
}

}  // namespace oriel::coreclr
