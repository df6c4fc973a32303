// ECMA-335 II.23.1.16: what signatures are made of.
#pragma once

#include <cstdint>

namespace oriel {

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

}  // namespace oriel
