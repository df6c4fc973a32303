// The threads of the process and where their stacks end, for when the runtime has stopped them.
#pragma once

#include <span>

#include "runtimes/coreclr/heap/heap_roots.h"

namespace oriel::coreclr {

class StoppedThreads {
 public:
  StoppedThreads() : threads_(kMost * sizeof(StoppedThread)) {}

  // Reads them without a lock or an allocation. Those that are running, in native code, are left out, as their stack
  // pointers are not known, and so is the calling one.
  void read();
  std::span<const StoppedThread> all() const { return {threads_.as<StoppedThread>(), count_}; }

 private:
  static constexpr size_t kMost = 1 << 14;
  PageMemory threads_;
  size_t count_ = 0;
};

}  // namespace oriel::coreclr
