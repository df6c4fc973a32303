#include "runtimes/mono/sudden_end.h"

#include <atomic>
#include <cstdlib>

#include "base/process/fault.h"
#include "base/process/import_slot.h"
#include "engine/engine.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/heap/stopped_world.h"

namespace oriel::mono {
namespace {

using ExitFunction = void (*)(int);
using AbortFunction = void (*)();

ExitFunction exit_before = &exit;
AbortFunction abort_before = &abort;
constinit std::atomic<bool> runs{false};  // the program

// What waits for a stop of the program would wait for this thread.
void end_engine() {
  if (refuse_stops()) engine_before_abort();
}

void on_abort() {
  if (!is_handling_fault()) guarded(end_engine);
  abort_before();
}

void on_exit(int status) {
  if (status != 0 && runs.load()) guarded(end_engine);
  exit_before(status);
}

template <typename Function>
void replace(uintptr_t of_mono, const char* name, Function replacement, Function& before) {
  if (void* const found = replace_import(of_mono, name, reinterpret_cast<void*>(replacement)))
    before = reinterpret_cast<Function>(found);
}

}  // namespace

void hear_of_sudden_end(const void* address) {
  const auto of_mono = reinterpret_cast<uintptr_t>(address);
  replace(of_mono, "abort", &on_abort, abort_before);
  replace(of_mono, "exit", &on_exit, exit_before);
}

void end_is_sudden(bool is) { runs.store(is); }

}  // namespace oriel::mono
