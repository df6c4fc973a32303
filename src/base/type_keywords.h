// C#'s own words for types of the core library: names for people have these (int.Parse), metadata does not.
#pragma once

#include "base/element.h"

namespace oriel {

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
