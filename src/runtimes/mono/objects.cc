#include "runtimes/mono/objects.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/text/element.h"
#include "base/text/utf16.h"
#include "base/text/utf8.h"
#include "oriel/oriel.h"

namespace oriel::mono {
namespace {

constexpr uint32_t kStatic = 0x10;  // ECMA-335 II.23.1.5

struct Value {
  Element type;
  oriel_value_kind kind;
  uint32_t size;
};

constexpr Value kValues[] = {
    {Element::kBoolean, ORIEL_VALUE_BOOL, 1},
    {Element::kChar, ORIEL_VALUE_CHAR, 2},
    {Element::kI1, ORIEL_VALUE_I1, 1},
    {Element::kU1, ORIEL_VALUE_U1, 1},
    {Element::kI2, ORIEL_VALUE_I2, 2},
    {Element::kU2, ORIEL_VALUE_U2, 2},
    {Element::kI4, ORIEL_VALUE_I4, 4},
    {Element::kU4, ORIEL_VALUE_U4, 4},
    {Element::kI8, ORIEL_VALUE_I8, 8},
    {Element::kU8, ORIEL_VALUE_U8, 8},
    {Element::kR4, ORIEL_VALUE_R4, 4},
    {Element::kR8, ORIEL_VALUE_R8, 8},
    {Element::kIntPtr, ORIEL_VALUE_NATIVE_INT, sizeof(void*)},
    {Element::kUIntPtr, ORIEL_VALUE_NATIVE_UINT, sizeof(void*)},
    {Element::kPointer, ORIEL_VALUE_POINTER, sizeof(void*)},
    {Element::kFunctionPointer, ORIEL_VALUE_POINTER, sizeof(void*)},
    {Element::kString, ORIEL_VALUE_OBJECT, sizeof(void*)},
    {Element::kClass, ORIEL_VALUE_OBJECT, sizeof(void*)},
    {Element::kObject, ORIEL_VALUE_OBJECT, sizeof(void*)},
    {Element::kSzArray, ORIEL_VALUE_OBJECT, sizeof(void*)},
    {Element::kArray, ORIEL_VALUE_OBJECT, sizeof(void*)},
};

// nullptr for enumerations and other structs, whose size Mono does not tell.
const Value* value_of(Element type) {
  const Value* const found = std::ranges::find(kValues, type, &Value::type);
  return found == std::end(kValues) ? nullptr : found;
}

// Mono searches the base classes too.
MonoClassField* instance_field(MonoClass* klass, const char* name) {
  MonoClassField* const field = api.mono_class_get_field_from_name(klass, name);
  return field && (api.mono_field_get_flags(field) & kStatic) == 0 ? field : nullptr;
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
  const Value* const known = value_of(static_cast<Element>(api.mono_type_get_type(api.mono_field_get_type(field))));
  if (!known) return false;
  *value = {known->kind, known->size, place_of(object, field), ""};
  return true;
}

}  // namespace oriel::mono
