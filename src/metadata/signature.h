// Signatures in metadata blobs (ECMA-335 II.23.2), decoded to trees. Pure functions; blobs are not trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/text/element.h"

namespace oriel::metadata {

struct TypeSignature {
  Element kind = Element::kVoid;
  uint32_t token = 0;   // kClass, kValueType, kGenericInst: typeDef, typeRef or typeSpec
  uint32_t number = 0;  // kVar, kMVar: the parameter's index; kArray: the rank
  uint64_t handle = 0;  // kInternal, or kGenericInst without token: the runtime's own id, in signatures that it made
  // kPointer, kByRef, kSzArray, kArray: the element. kGenericInst: the arguments.
  // kFunctionPointer: the result, then the parameters.
  std::vector<TypeSignature> children;
};

struct MethodSignature {
  bool has_this = false;
  bool is_vararg = false;
  uint32_t generic_parameters = 0;
  TypeSignature result;
  std::vector<TypeSignature> parameters;
};

// Custom modifiers, pins and sentinels are skipped.
Result<MethodSignature> decode_method_signature(std::span<const uint8_t> blob);
Result<TypeSignature> decode_type_signature(std::span<const uint8_t> blob);

// The first fixed argument in a custom attribute's blob, if it is a string or a type (stored by name); otherwise, and
// for null, empty.
std::string attribute_string(std::span<const uint8_t> blob);

}  // namespace oriel::metadata
