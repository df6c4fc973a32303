#include "engine/plain_kind.h"

#include "base/text/element.h"

namespace oriel {
namespace {

struct Row {
  Element element;
  oriel_value_kind kind;
  uint8_t size;
};
constexpr Row kPlainKinds[] = {
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
    {Element::kString, ORIEL_VALUE_OBJECT, 8},
    {Element::kPointer, ORIEL_VALUE_POINTER, 8},
    {Element::kByRef, ORIEL_VALUE_BYREF, 8},
    {Element::kClass, ORIEL_VALUE_OBJECT, 8},
    {Element::kArray, ORIEL_VALUE_OBJECT, 8},
    {Element::kTypedByRef, ORIEL_VALUE_STRUCT, 16},
    {Element::kIntPtr, ORIEL_VALUE_NATIVE_INT, 8},
    {Element::kUIntPtr, ORIEL_VALUE_NATIVE_UINT, 8},
    {Element::kFunctionPointer, ORIEL_VALUE_POINTER, 8},
    {Element::kObject, ORIEL_VALUE_OBJECT, 8},
    {Element::kSzArray, ORIEL_VALUE_OBJECT, 8},
};

}  // namespace

PlainKind plain_kind(std::span<const uint8_t> type) {
  if (type.empty()) return {};
  if (Element{type[0]} == Element::kGenericInst && type.size() > 1 && Element{type[1]} == Element::kClass) {
    return {ORIEL_VALUE_OBJECT, sizeof(void*)};
  }
  for (const Row& row : kPlainKinds) {
    if (row.element == Element{type[0]}) return {row.kind, row.size};
  }
  return {};
}

}  // namespace oriel
