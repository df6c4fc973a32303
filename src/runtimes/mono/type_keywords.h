// The keywords with which Mono writes types of the namespace System: its own, some of which are not C#'s.
#pragma once

#include <string_view>

namespace oriel::mono {

struct TypeWord {
  std::string_view keyword;
  std::string_view name;  // in namespace System
};

inline constexpr TypeWord kTypeWords[] = {
    {"void", "Void"},     {"char", "Char"},     {"bool", "Boolean"},
    {"byte", "Byte"},     {"sbyte", "SByte"},   {"uint16", "UInt16"},
    {"int16", "Int16"},   {"uint", "UInt32"},   {"int", "Int32"},
    {"ulong", "UInt64"},  {"long", "Int64"},    {"uintptr", "UIntPtr"},
    {"intptr", "IntPtr"}, {"single", "Single"}, {"double", "Double"},
    {"string", "String"}, {"object", "Object"}, {"typedbyref", "TypedReference"},
};

}  // namespace oriel::mono
