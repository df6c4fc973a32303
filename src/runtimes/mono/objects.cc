#include "runtimes/mono/objects.h"

#include <algorithm>
#include <cstring>

#include "base/text/utf16.h"
#include "base/text/utf8.h"
#include "engine/plain_kind.h"
#include "oriel/oriel.h"

namespace oriel::mono {
namespace {

constexpr uint32_t kStaticField = 0x10;  // ECMA-335 II.23.1.5

// NONE for enumerations and other structs, whose size Mono does not tell.
PlainKind kind_of(MonoType* type) {
  const auto element = static_cast<uint8_t>(api.mono_type_get_type(type));
  const PlainKind plain = plain_kind({&element, 1});
  const bool is_object = plain.kind == ORIEL_VALUE_NONE && api.mono_type_is_reference(type);
  return is_object ? PlainKind{ORIEL_VALUE_OBJECT, sizeof(void*)} : plain;
}

// Mono searches the base classes too.
MonoClassField* instance_field(MonoClass* klass, const char* name) {
  MonoClassField* const field = api.mono_class_get_field_from_name(klass, name);
  return field && (api.mono_field_get_flags(field) & kStaticField) == 0 ? field : nullptr;
}

const void* place_of(MonoObject* object, MonoClassField* field) {
  return reinterpret_cast<const char*>(object) + api.mono_field_get_offset(field);
}

}  // namespace

MonoObject* reference_in(MonoObject* object, MonoClass* klass, const char* field) {
  MonoClassField* const found = instance_field(klass, field);
  if (!found) return nullptr;
  MonoObject* reference = nullptr;
  std::memcpy(&reference, place_of(object, found), sizeof reference);
  return reference;
}

size_t text_of(MonoString* text, char* buffer, size_t size) {
  if (size == 0) return 0;
  buffer[0] = '\0';
  if (!text) return 0;
  // A UTF-16 unit becomes at least one byte.
  const auto length = std::min(static_cast<size_t>(api.mono_string_length(text)), size);
  const auto* const units = reinterpret_cast<const char16_t*>(api.mono_string_chars(text));
  const std::string utf8 = utf8_of({units, length});
  const size_t used = utf8_end(utf8, size - 1);
  std::memcpy(buffer, utf8.data(), used);
  buffer[used] = '\0';
  return used;
}

bool field_of(MonoObject* object, const char* name, oriel_value* value) {
  MonoClassField* const field = instance_field(api.mono_object_get_class(object), name);
  if (!field) return false;
  const PlainKind known = kind_of(api.mono_field_get_type(field));
  if (known.kind == ORIEL_VALUE_NONE) return false;
  *value = {known.kind, known.size, place_of(object, field), ""};
  return true;
}

}  // namespace oriel::mono
