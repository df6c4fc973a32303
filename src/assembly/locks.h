// Which lock a method takes, and where that was made, as its code says.
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

// Of the first instruction from that place on that takes one, in the method or in what it calls, which may be inlined;
// without any, of the last before it.
ValueName taken_lock(const Assembly& assembly, CodePlace place, LockKind kind);

// Code of a method that runs while it has a lock: from where it takes it to where it gives it back.
struct HeldCode {
  uint32_t from_il = 0;
  uint32_t to_il = 0;  // the last instruction that is part of it
  std::string name;    // of the lock, as ValueName has it
};
// In the order of the code; of a lock that the method does not give back, to the method's end.
std::vector<HeldCode> held_code(const Assembly& assembly, uint32_t method);
// The method that is called first from there on, by row; 0 if that is none of this assembly.
uint32_t called_method(const Assembly& assembly, CodePlace place);

// Where a field gets its value.
struct FieldOrigin {
  CodePlace place;
  bool is_made = false;          // the object is made there, and not only put into the field
  std::optional<int32_t> count;  // the first argument that it is made with, if that is a number that stands there
  uint32_t more = 0;             // other places that give it one
};

// By field's row: those of all bodies. A place that makes the object goes before one that does not.
std::map<uint32_t, FieldOrigin> field_origins(const Assembly& assembly);

}  // namespace oriel::assembly
