// What tokens in the code of an assembly name, as people wrote it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "assembly/assembly.h"
#include "il/body.h"

namespace oriel::assembly {

// A field or a method.
struct CodeMember {
  // "Shop.Till": of a method that the compiler made in a class of a person's, that one; "" of a field that it made of a
  // local variable or a parameter
  std::string type;
  std::string name;  // "_gate", "Pay"; "" if the token names none
  uint32_t row = 0;  // in this assembly's table of fields or methods; 0: of another assembly
  std::string text() const { return type.empty() ? name : type + "." + name; }
};
CodeMember field_of(const Assembly& assembly, uint32_t token);
CodeMember method_of(const Assembly& assembly, uint32_t token);
// The rows alone.
uint32_t field_row(const Assembly& assembly, uint32_t token);
uint32_t method_row(const Assembly& assembly, uint32_t token);

// "Shop.Till" of a type's token; "" if it is none.
std::string type_of(const Assembly& assembly, uint32_t token);
// "this", or a parameter's name, of an argument as ldarg counts them; "" if nothing tells.
std::string argument_name(const Assembly& assembly, uint32_t method, uint32_t argument);

constexpr uint32_t type_token(uint32_t row) { return uint32_t{0x02} << 24 | row; }
constexpr uint32_t method_token(uint32_t row) { return uint32_t{0x06} << 24 | row; }

inline bool is_call(const il::Instruction& one) {
  return one.opcode() == il::Opcode::Call || one.opcode() == il::Opcode::Callvirt;
}

// Nothing if the method has no code, or none that can be read.
std::optional<il::Body> decoded_body(const Assembly& assembly, uint32_t method);

}  // namespace oriel::assembly
