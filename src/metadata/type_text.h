// Type names as text, in three styles:
//
//   kShort   Dictionary<string, Item>.KeyCollection          parameters: as in C# with the right usings
//   kFull    System.Collections.Generic.Dictionary<string, Shop.Item>.KeyCollection          classes
//   kRaw     System.Collections.Generic.Dictionary`2+KeyCollection[System.String,Shop.Item]  as in reflection
//
// Primitive types are C# keywords except in kRaw. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "metadata/signature.h"

namespace oriel::metadata {

enum class Style { kShort, kFull, kRaw };

// A type's metadata name: namespace ("" if none), then outermost to innermost, each with its own arity ("Dictionary`2",
// "KeyCollection").
struct TypePath {
  std::string name_space;
  std::vector<std::string> names;
};

// "List`1" → "List", and 1.
struct BareName {
  std::string name;
  uint32_t arity = 0;
};
BareName split_arity(const std::string& name);

// The type with its generic arguments, which are already in the same style; missing ones are left out.
std::string type_text(const TypePath& path, const std::vector<std::string>& arguments, Style style);

// "int" for System.Int32 and the like, in the styles that use keywords; "" for all other types.
std::string keyword_of(const TypePath& path);
// The keyword or full name of an element type without a token; "" for others.
std::string primitive_text(Element kind, Style style);

// Names the tokens and generic parameters in one module's signatures.
class NameScope {
 public:
  virtual ~NameScope() = default;
  // The name of a typeDef or typeRef; {"", {}} if it does not exist.
  virtual TypePath type_path(uint32_t token) const = 0;
  // The blob of a typeSpec, empty if it does not exist.
  virtual std::span<const uint8_t> type_spec(uint32_t token) const = 0;
  // A type by the runtime's own id; "" if unknown.
  virtual std::string internal_type(uint64_t handle, Style style) const = 0;
  // The index-th parameter of the generic class or method: its argument if known, else its name.
  virtual std::string class_parameter(uint32_t index, Style style) const = 0;
  virtual std::string method_parameter(uint32_t index, Style style) const = 0;
};

std::string type_text(const TypeSignature& type, const NameScope& scope, Style style);

// "(string, int)", with "?" for types without a name.
std::string parameters_text(const std::vector<TypeSignature>& parameters, const NameScope& scope, Style style);
// Likewise of types that have their texts.
std::string parameters_text(const std::vector<std::string>& types, Style style);

// "<int, string>", in raw style "[System.Int32,System.String]"; "" for none.
std::string arguments_text(const std::vector<std::string>& arguments, Style style);

}  // namespace oriel::metadata
