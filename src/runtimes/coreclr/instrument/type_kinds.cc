#include "runtimes/coreclr/instrument/type_kinds.h"

#include <algorithm>

#include "base/text/element.h"

namespace oriel::coreclr {
namespace {

// II.23.2.14: GENERICINST, then CLASS or VALUETYPE.
TypeKind kind_of_signature(std::span<const uint8_t> signature) {
  if (signature.size() < 2) return TypeKind::kUnknown;
  switch (Element{signature[0]}) {
    case Element::kVar:
    case Element::kMVar:
      return TypeKind::kParameter;
    case Element::kArray:
    case Element::kSzArray:
      return TypeKind::kReference;
    case Element::kGenericInst:
      return Element{signature[1]} == Element::kValueType ? TypeKind::kValue : TypeKind::kReference;
    default:
      return TypeKind::kUnknown;
  }
}

}  // namespace

TypeKind TypeKinds::of(const ModuleMetadata& metadata, Token type) {
  if (table_of(type) == kTypeDefTable) return of_definition(metadata, type);
  if (table_of(type) == kTypeSpecTable) return kind_of_signature(metadata.type_spec(type));
  if (table_of(type) != kTypeRefTable) return TypeKind::kUnknown;
  return of_reference(type_reference(metadata, type));
}

TypeKind TypeKinds::of_definition(const ModuleMetadata& metadata, Token type) {
  Token extends = 0;
  const std::u16string name = metadata.type_name(type, &extends);
  if (name.empty()) return TypeKind::kUnknown;
  if (name == u"System.String") return TypeKind::kString;
  if (name == u"System.Enum") return TypeKind::kReference;
  const std::u16string base = metadata.type_name(extends);
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

// Another folder may contain another version of a known assembly.
void TypeKinds::meet(ModuleID module) {
  {
    const std::lock_guard guard(lock_);
    if (!met_.insert(module).second) return;
  }
  if (!files_.add_folder_of(module)) return;
  const std::lock_guard guard(lock_);
  by_name_.clear();
}

void TypeKinds::forget(ModuleID module) {
  const std::lock_guard guard(lock_);
  met_.erase(module);
}

// A probe that treats a struct as an object would make the body invalid. So if versions disagree, the kind is unknown.
TypeKind TypeKinds::find(const TypeReference& reference) {
  const std::vector<FoundType> found = files_.find(reference);
  if (found.empty()) return find_in_modules(reference);
  const TypeKind kind = of_definition(*found.front().metadata, found.front().type);
  const bool agree = std::all_of(found.begin(), found.end(), [&](const FoundType& other) {
    return of_definition(*other.metadata, other.type) == kind;
  });
  return agree ? kind : TypeKind::kUnknown;
}

// Assemblies without a file (made in memory, or part of a single-file program) are searched by the type's name alone.
// Resolving a reference to its module would load assemblies.
TypeKind TypeKinds::find_in_modules(const TypeReference& reference) {
  TypeKind found = TypeKind::kUnknown;
  bool differ = false;
  modules_.for_each([&](ModuleID, const ModuleMetadata& metadata) {
    const Token type = metadata.find_type(reference.names);
    if (type == 0) return true;
    const TypeKind kind = of_definition(metadata, type);
    differ = found != TypeKind::kUnknown && found != kind;
    found = kind;
    return !differ;
  });
  return differ ? TypeKind::kUnknown : found;
}

}  // namespace oriel::coreclr
