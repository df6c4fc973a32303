// Real machine code for the scripted runtime's methods. Only code.cc knows the processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace oriel::scripted {

// A method's code keeps a frame pointer and calls what the list points at, passing on the rest of the list. A native
// function of this type ends the list.
using Code = void (*)(void* const* list);

inline constexpr size_t kCodeSize = 64;  // size of a method's code in bytes

// Writes a method's code there (kCodeSize bytes).
void write_code(uint8_t* at);

// Executable memory in slots; a freed slot is reused first, so that addresses recur immediately. Any thread.
class CodeSpace {
 public:
  ~CodeSpace();
  // nullptr if the system refuses executable memory or all slots are taken.
  uint8_t* take();
  void give_back(uint8_t* slot);
  bool contains(uintptr_t address) const;

 private:
  static constexpr size_t kBytes = 1 << 20;

  mutable std::mutex lock_;
  uint8_t* memory_ = nullptr;
  size_t used_ = 0;
  std::vector<uint8_t*> free_;
};

}  // namespace oriel::scripted
