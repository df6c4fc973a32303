// Signatures in metadata blobs (ECMA-335 II.23.2), decoded to trees. Pure functions; nothing of a blob is trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::metadata {

// The kinds that a type in a signature can have, by their codes in a blob.
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

struct TypeSignature {
  Element kind = Element::kVoid;
  uint32_t token = 0;   // kClass, kValueType, kGenericInst: typeDef, typeRef or typeSpec
  uint32_t number = 0;  // kVar, kMVar: the parameter's index; kArray: the rank
  uint64_t handle = 0;  // kInternal, or kGenericInst without token: the runtime's own id, in signatures it made up
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

// Custom modifiers, pins and sentinels are read and left out.
Result<MethodSignature> decode_method_signature(std::span<const uint8_t> blob);
Result<TypeSignature> decode_type_signature(std::span<const uint8_t> blob);

// The first fixed argument of a custom attribute's blob, if it is a string or a type (which is stored by its name);
// empty if it is not, or null.
std::string attribute_string(std::span<const uint8_t> blob);

}  // namespace oriel::metadata
