// Types, signatures and members in ILAsm syntax (include/oriel/code.h), parsed to metadata bytes (ECMA-335 II.23.2).
// Pure functions; texts are not trusted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel::metadata {

// Provides the tokens of types.
class TypeTokens {
 public:
  virtual ~TypeTokens() = default;
  // A typeDef or typeRef by its names with the namespace, outermost first ("System.Environment", "SpecialFolder").
  // `assembly`: "" for the module itself.
  virtual Result<uint32_t> type(const std::string& assembly, const std::vector<std::string>& names) = 0;
};

// "int32[]", "class [System.Runtime]System.Collections.Generic.List`1<string>&"
Result<std::vector<uint8_t>> type_of_text(std::string_view text, TypeTokens& tokens);

// "Shop.Cart/Item": the names of a type in the module itself, outermost first.
Result<std::vector<std::string>> names_of_text(std::string_view text);

// "instance void (string, object[])": a method's signature.
Result<std::vector<uint8_t>> signature_of_text(std::string_view text, TypeTokens& tokens);

struct MemberText {
  bool is_field = false;
  std::vector<uint8_t> owner;  // a type, encoded as in a signature
  std::string name;
  std::vector<uint8_t> signature;
  std::vector<uint8_t> arguments;  // a methodSpec's signature; empty for a method without generic arguments
};
// "void [System.Console]System.Console::WriteLine(string)", "int32 Shop.Cart::total"
Result<MemberText> member_of_text(std::string_view text, TypeTokens& tokens);

// The token if the type is just a named type; 0 for constructed and primitive types.
uint32_t named_type(std::span<const uint8_t> type);

struct AssemblyText {
  std::string name;
  uint16_t version[4] = {};
  std::vector<uint8_t> public_key_token;  // 8 bytes, or none
};
// "System.Console", "System.Console, Version=10.0.0.0, Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a"
Result<AssemblyText> assembly_of_text(std::string_view text);

}  // namespace oriel::metadata
