// The threads of the process and their stacks, for when the runtime has stopped them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/heap/page_memory.h"

namespace oriel {

struct StoppedThread {
  uint32_t os_id;
  // Its stack pointer. A thread that runs native code meanwhile has no known one: an address in its stack then, whose
  // area is its stack as a whole; 0: unknown.
  uintptr_t in_stack;
  bool is_running = false;
};

class StoppedThreads {
 public:
  StoppedThreads() : threads_(kMost * sizeof(StoppedThread)) {}

  // Reads all but the calling one, without a lock or an allocation. Waits up to 2 ms for those that run: the runtime
  // stops each where it comes out of native code, and some are on their way into a wait.
  void read();
  std::span<const StoppedThread> all() const { return {threads_.as<StoppedThread>(), count_}; }

 private:
  static constexpr size_t kMost = 1 << 14;
  PageMemory threads_;
  size_t count_ = 0;
};

}  // namespace oriel
