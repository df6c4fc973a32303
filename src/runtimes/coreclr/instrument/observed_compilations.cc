#include "runtimes/coreclr/instrument/observed_compilations.h"

#include <atomic>
#include <vector>

#include "base/clock.h"
#include "runtimes/coreclr/thread_state.h"

namespace oriel::coreclr {

void ObservedCompilations::start() {
  if (is_observing()) return;
  {
    // All modules, until it is known which of them were loaded before.
    const std::lock_guard guard(lock_);
    unobserved_.clear();
    all_unobserved_ = true;
  }
  hears_.store(true, std::memory_order_release);
  const std::vector<ModuleID> loaded = modules_.all();
  const std::lock_guard guard(lock_);
  unobserved_.insert(loaded.begin(), loaded.end());
  all_unobserved_ = false;
}

bool ObservedCompilations::all_of(ModuleID module) const {
  const std::lock_guard guard(lock_);
  return is_observing() && !all_unobserved_ && !unobserved_.contains(module);
}

void ObservedCompilations::not_of(ModuleID module) {
  const std::lock_guard guard(lock_);
  unobserved_.insert(module);
}

void ObservedCompilations::module_unloading(ModuleID module) {
  const std::lock_guard guard(lock_);
  unobserved_.erase(module);
}

void ObservedCompilations::compilation_begins(oriel_method* method, bool again) {
  PerThreadState* const own = per_thread_state();
  if (own == nullptr) return;
  Compilations& compilations = own->compilations;
  const auto stack = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  // The runtime does not report failed compilations. Those that do not enclose the new one are over.
  while (compilations.depth > 0 && compilations.all[compilations.depth - 1].stack <= stack) --compilations.depth;
  if (compilations.depth == Compilations::kMost) compilations.depth = 0;
  compilations.all[compilations.depth] = {clock_monotonic_ns(), method, again, stack};
  std::atomic_signal_fence(std::memory_order_release);  // a sample may interrupt the two stores
  ++compilations.depth;
}

bool ObservedCompilations::compilation_ends() {
  PerThreadState* const own = per_thread_state();
  if (own == nullptr || own->compilations.depth == 0) return false;
  Compilations& compilations = own->compilations;
  const auto stack = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const auto distance = [&](uint32_t at) {
    const uintptr_t began = compilations.all[at].stack;
    return began < stack ? stack - began : began - stack;
  };
  // It ends at about the stack address where it began. Inner compilations without a reported end have failed.
  while (compilations.depth > 1 && distance(compilations.depth - 2) < distance(compilations.depth - 1))
    --compilations.depth;
  --compilations.depth;
  return true;
}

uint64_t ObservedCompilations::compilation_began() {
  const PerThreadState* const own = per_thread_state();
  return own == nullptr || own->compilations.depth == 0 ? 0 : own->compilations.all[own->compilations.depth - 1].began;
}

oriel_method* ObservedCompilations::compiled_method(bool* again) {
  const PerThreadState* const own = per_thread_state_if_any();
  if (own == nullptr || own->compilations.depth == 0) return nullptr;
  const Compilations::One& innermost = own->compilations.all[own->compilations.depth - 1];
  *again = innermost.again;
  return innermost.method;
}

}  // namespace oriel::coreclr
