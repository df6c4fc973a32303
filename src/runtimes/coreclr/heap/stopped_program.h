// The program's managed threads, stopped by the runtime while this exists. Its native threads go on, and the runtime's
// own work in them, until they come to managed code.
#pragma once

#include <csignal>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Only the thread that stopped the program can let it go on: until then it must not wait for a lock that a stopped
// thread may hold. It takes no signals.
class StoppedProgram {
 public:
  // Waits for a collection that is under way. False as a bool if the runtime does not stop it.
  explicit StoppedProgram(ProfilerInfo& info);
  ~StoppedProgram();
  StoppedProgram(const StoppedProgram&) = delete;
  StoppedProgram& operator=(const StoppedProgram&) = delete;

  explicit operator bool() const { return is_stopped_; }

 private:
  ProfilerInfo& info_;
  sigset_t signals_;
  bool is_stopped_ = false;
};

}  // namespace oriel::coreclr
