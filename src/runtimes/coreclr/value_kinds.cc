#include "runtimes/coreclr/value_kinds.h"

#include "il/signature_types.h"

namespace oriel::coreclr {
namespace {

struct Row {
  uint8_t element;
  oriel_value_kind kind;
  uint8_t size;
};
constexpr Row kRows[] = {
    {0x02, ORIEL_VALUE_BOOL, 1},       {0x03, ORIEL_VALUE_CHAR, 2},        {0x04, ORIEL_VALUE_I1, 1},
    {0x05, ORIEL_VALUE_U1, 1},         {0x06, ORIEL_VALUE_I2, 2},          {0x07, ORIEL_VALUE_U2, 2},
    {0x08, ORIEL_VALUE_I4, 4},         {0x09, ORIEL_VALUE_U4, 4},          {0x0a, ORIEL_VALUE_I8, 8},
    {0x0b, ORIEL_VALUE_U8, 8},         {0x0c, ORIEL_VALUE_R4, 4},          {0x0d, ORIEL_VALUE_R8, 8},
    {0x0e, ORIEL_VALUE_OBJECT, 8},     {0x0f, ORIEL_VALUE_POINTER, 8},     {0x10, ORIEL_VALUE_BYREF, 8},
    {0x12, ORIEL_VALUE_OBJECT, 8},     {0x14, ORIEL_VALUE_OBJECT, 8},      {0x16, ORIEL_VALUE_STRUCT, 16},
    {0x18, ORIEL_VALUE_NATIVE_INT, 8}, {0x19, ORIEL_VALUE_NATIVE_UINT, 8}, {0x1b, ORIEL_VALUE_POINTER, 8},
    {0x1c, ORIEL_VALUE_OBJECT, 8},     {0x1d, ORIEL_VALUE_OBJECT, 8},
};

}  // namespace

PlainKind plain_kind(std::span<const uint8_t> type) {
  const std::span<const uint8_t> bare = il::without_modifiers(type);
  if (bare.empty()) return {};
  if (bare[0] == kElementGenericInst && bare.size() > 1 && bare[1] == kElementClass) {
    return {ORIEL_VALUE_OBJECT, sizeof(void*)};
  }
  for (const Row& row : kRows) {
    if (row.element == bare[0]) return {row.kind, row.size};
  }
  return {};
}

}  // namespace oriel::coreclr
