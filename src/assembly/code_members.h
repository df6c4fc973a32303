// Members that code refers to by token, with their names in the source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "assembly/assembly.h"
#include "il/body.h"

namespace oriel::assembly {

// A field or a method.
struct CodeMember {
  // "Shop.Till": for a compiler-made method inside a class from the source, that class; "" for a field made of a local
  // variable or a parameter
  std::string type;
  std::string name;  // "_gate", "Pay"; "" if the token names none
  uint32_t row = 0;  // in this assembly's table of fields or methods; 0: in another assembly
  std::string text() const { return type.empty() ? name : type + "." + name; }
};
CodeMember field_of(const Assembly& assembly, uint32_t token);
CodeMember method_of(const Assembly& assembly, uint32_t token);
// Only the rows.
uint32_t field_row(const Assembly& assembly, uint32_t token);
uint32_t method_row(const Assembly& assembly, uint32_t token);

// "Shop.Till" for a type's token; "" if it is none.
std::string type_of(const Assembly& assembly, uint32_t token);
// "this", or a parameter's name, for an argument as ldarg counts them; "" if unknown.
std::string argument_name(const Assembly& assembly, uint32_t method, uint32_t argument);

constexpr uint32_t type_token(uint32_t row) { return uint32_t{0x02} << 24 | row; }
constexpr uint32_t method_token(uint32_t row) { return uint32_t{0x06} << 24 | row; }

inline bool is_call(const il::Instruction& one) {
  return one.opcode() == il::Opcode::Call || one.opcode() == il::Opcode::Callvirt;
}

// nullopt if the method has no code, or it cannot be read.
std::optional<il::Body> decoded_body(const Assembly& assembly, uint32_t method);

}  // namespace oriel::assembly
