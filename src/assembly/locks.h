// The lock that a method takes, and where it was created, from the code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assembly/code_place.h"
#include "assembly/value_name.h"

namespace oriel::assembly {

enum class LockKind {
  kMonitor,       // Monitor (lock) and System.Threading.Lock
  kSemaphore,     // SemaphoreSlim
  kReaderWriter,  // ReaderWriterLockSlim, and the older ReaderWriterLock
};

// The lock of the first instruction from that place on that takes one, in the method or in a callee, which may be
// inlined; if there is none, of the last one before it.
ValueName acquired_lock(const Assembly& assembly, CodePlace place, LockKind kind);

// Code of a method that runs while it holds a lock: from the acquisition to the release.
struct HeldCode {
  uint32_t from_il = 0;
  uint32_t to_il = 0;  // the last instruction that is part of it
  std::string name;    // of the lock, as in ValueName
};
// In code order; to the method's end for a lock that the method does not release.
std::vector<HeldCode> held_code(const Assembly& assembly, uint32_t method);
// The row of the first method called from there on; 0 if it is not in this assembly.
uint32_t called_method(const Assembly& assembly, CodePlace place);

// Where a field gets its value.
struct FieldOrigin {
  CodePlace place;
  bool is_made = false;          // the object is created there, and not only stored into the field
  std::optional<int32_t> count;  // the first constructor argument, if it is a constant
  uint32_t more = 0;             // further places that store into it
};

// By field row, from all bodies. A place that creates the object takes precedence.
std::map<uint32_t, FieldOrigin> field_origins(const Assembly& assembly);

}  // namespace oriel::assembly
