// Source names of types and methods, from an assembly's metadata alone, without a runtime.
#pragma once

#include <cstdint>
#include <string>

#include "assembly/assembly.h"

namespace oriel::assembly {

// "Shop.Box<T>.Shelf"
std::string source_type(const Assembly& assembly, uint32_t type_row);

struct SourceMethod {
  uint32_t type = 0;       // row of the type in the source
  uint32_t method = 0;     // row of the method in the source: for a state machine, the one it was made of; 0: none
  std::string name;        // "AddAsync", "Main.lambda#1", "Main.Helper", ".ctor"
  std::string parameters;  // "(string, int)"; "" if unknown
};
SourceMethod source_method(const Assembly& assembly, uint32_t method_row);

// Metadata names: "System.Void", "System.Collections.Generic.List`1[System.String],System.Int32".
struct RawSignature {
  std::string result;
  std::string parameters;
};
RawSignature raw_signature(const Assembly& assembly, uint32_t method_row);

}  // namespace oriel::assembly
