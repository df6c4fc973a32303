#include "runtimes/mono/heap/field_names.h"

#include <iterator>

#include "metadata/written_name.h"
#include "runtimes/mono/functions.h"

namespace oriel::mono {
namespace {

constexpr uint32_t kStatic = 0x10, kLiteral = 0x40, kHasRva = 0x100;  // ECMA-335 II.23.1.5
constexpr uintptr_t kHeader = 2 * sizeof(void*);                      // of an object; a structure has none
constexpr int kMostStructures = 16;

// The structure in a field, nullptr if it is none, or has no fields to name.
MonoClass* structure_of(MonoClassField* field) {
  constexpr int kValueType = 0x11, kGenericInstance = 0x15;  // ECMA-335 II.23.1.16
  MonoType* const type = api.mono_field_get_type(field);
  const int element = type ? api.mono_type_get_type(type) : 0;
  if (element != kValueType && element != kGenericInstance) return nullptr;
  if (api.mono_type_is_reference(type)) return nullptr;
  MonoClass* const klass = api.mono_class_from_mono_type(type);
  return klass && api.mono_class_is_valuetype(klass) ? klass : nullptr;
}

void add_instance_fields(MonoClass* klass, uintptr_t shift, const std::string& before, int depth, FieldNames& names) {
  void* iterator = nullptr;
  while (MonoClassField* const field = api.mono_class_get_fields(klass, &iterator)) {
    if ((api.mono_field_get_flags(field) & kStatic) != 0) continue;
    const uintptr_t offset = api.mono_field_get_offset(field) + shift;
    const std::string name = before + metadata::source_field_name(copied(api.mono_field_get_name(field)));
    names.try_emplace(offset, name);
    if (MonoClass* const structure = depth < kMostStructures ? structure_of(field) : nullptr)
      add_instance_fields(structure, offset - kHeader, name + ".", depth + 1, names);
  }
}

}  // namespace

FieldNames instance_fields(MonoClass* klass) {
  constexpr int kMostBases = 64;
  FieldNames names;
  for (int depth = 0; klass && depth < kMostBases; ++depth, klass = api.mono_class_get_parent(klass))
    add_instance_fields(klass, 0, "", 0, names);
  return names;
}

FieldNames element_fields(MonoClass* array) {
  FieldNames names;
  MonoClass* const element = api.mono_class_get_element_class(array);
  if (element && api.mono_class_is_valuetype(element)) add_instance_fields(element, -kHeader, "", 0, names);
  return names;
}

FieldNames static_fields(MonoClass* klass) {
  constexpr uintptr_t kSpecial = UINT32_MAX;  // of threads and contexts
  FieldNames names;
  void* iterator = nullptr;
  while (MonoClassField* const field = api.mono_class_get_fields(klass, &iterator)) {
    const uint32_t flags = api.mono_field_get_flags(field);
    const uintptr_t offset = api.mono_field_get_offset(field);
    if ((flags & kStatic) == 0 || (flags & (kLiteral | kHasRva)) != 0 || offset == kSpecial) continue;
    const std::string name = metadata::source_field_name(copied(api.mono_field_get_name(field)));
    names.try_emplace(offset, name);
    if (MonoClass* const structure = structure_of(field))
      add_instance_fields(structure, offset - kHeader, name + ".", 0, names);
  }
  return names;
}

std::string field_at(const FieldNames& fields, uintptr_t offset) {
  const auto after = fields.upper_bound(offset);
  return after == fields.begin() ? "" : std::prev(after)->second;
}

}  // namespace oriel::mono
