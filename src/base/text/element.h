// Element types of signatures, ECMA-335 II.23.1.16.
#pragma once

#include <cstdint>

namespace oriel {

// The kinds of types in a signature, by their codes in a blob.
enum class Element : uint8_t {
  kVoid = 0x01,
  kBoolean = 0x02,
  kChar = 0x03,
  kI1 = 0x04,
  kU1 = 0x05,
  kI2 = 0x06,
  kU2 = 0x07,
  kI4 = 0x08,
  kU4 = 0x09,
  kI8 = 0x0a,
  kU8 = 0x0b,
  kR4 = 0x0c,
  kR8 = 0x0d,
  kString = 0x0e,
  kPointer = 0x0f,
  kByRef = 0x10,
  kValueType = 0x11,
  kClass = 0x12,
  kVar = 0x13,
  kArray = 0x14,
  kGenericInst = 0x15,
  kTypedByRef = 0x16,
  kIntPtr = 0x18,
  kUIntPtr = 0x19,
  kFunctionPointer = 0x1b,
  kObject = 0x1c,
  kSzArray = 0x1d,
  kMVar = 0x1e,
  kModRequired = 0x1f,
  kModOptional = 0x20,
  kInternal = 0x21,
  kModInternal = 0x22,
  kSentinel = 0x41,
  kPinned = 0x45,
};

// C# keywords for types of the core library: readable names have these (int.Parse), metadata does not.
struct TypeKeyword {
  Element kind;
  const char* keyword;
  const char* name;  // in namespace System
};

inline constexpr TypeKeyword kTypeKeywords[] = {
    {Element::kVoid, "void", "Void"},       {Element::kBoolean, "bool", "Boolean"},
    {Element::kChar, "char", "Char"},       {Element::kI1, "sbyte", "SByte"},
    {Element::kU1, "byte", "Byte"},         {Element::kI2, "short", "Int16"},
    {Element::kU2, "ushort", "UInt16"},     {Element::kI4, "int", "Int32"},
    {Element::kU4, "uint", "UInt32"},       {Element::kI8, "long", "Int64"},
    {Element::kU8, "ulong", "UInt64"},      {Element::kR4, "float", "Single"},
    {Element::kR8, "double", "Double"},     {Element::kString, "string", "String"},
    {Element::kIntPtr, "nint", "IntPtr"},   {Element::kUIntPtr, "nuint", "UIntPtr"},
    {Element::kObject, "object", "Object"},
};

}  // namespace oriel
