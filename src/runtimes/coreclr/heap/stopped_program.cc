#include "runtimes/coreclr/heap/stopped_program.h"

#include <unistd.h>

namespace oriel::coreclr {

// The runtime refuses while it is stopped for a collection, say.
StoppedProgram::StoppedProgram(ProfilerInfo& info) : info_(info) {
  constexpr HResult kSuspensionInProgress = static_cast<HResult>(0x80131388);
  constexpr int kMostTries = 30'000;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &signals_);
  for (int tries = 0; tries < kMostTries; ++tries) {
    const HResult result = info.SuspendRuntime();
    is_stopped_ = succeeded(result);
    if (result != kSuspensionInProgress) return;
    usleep(1000);
  }
}

StoppedProgram::~StoppedProgram() {
  if (is_stopped_) info_.ResumeRuntime();
  pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
}

}  // namespace oriel::coreclr
