#include "runtimes/mono/heap/root_register.h"

#include <iterator>

#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/functions.h"

namespace oriel::mono {
namespace {

std::mutex register_lock;  // guards the next; Mono may hold its own meanwhile
RootRegister& the_register() {
  static auto* const made = new RootRegister;
  return *made;
}

void on_root_registered(MonoProfiler*, const uint8_t* start, uintptr_t bytes, RootSource source, const void* key,
                        const char* name) {
  guarded([&] {
    const std::lock_guard guard(register_lock);
    the_register()[reinterpret_cast<uintptr_t>(start)] = {bytes, source, reinterpret_cast<uintptr_t>(key),
                                                          copied(name)};
  });
}

void on_root_unregistered(MonoProfiler*, const uint8_t* start) {
  guarded([&] {
    const std::lock_guard guard(register_lock);
    the_register().erase(reinterpret_cast<uintptr_t>(start));
  });
}

}  // namespace

bool is_pinning(const RegisteredRoot& root) {
  return root.source == RootSource::kStack ||
         (root.source == RootSource::kHandle && root.name.find("Pinned") != std::string::npos);
}

RootRegister registered_roots() {
  const std::lock_guard guard(register_lock);
  return the_register();
}

const RegisteredRoot* root_at(const RootRegister& all, uintptr_t address) {
  const auto after = all.upper_bound(address);
  if (after == all.begin()) return nullptr;
  const auto& [start, root] = *std::prev(after);
  return address - start < root.bytes ? &root : nullptr;
}

RootsWhileStopped::RootsWhileStopped() : guard_(register_lock, std::try_to_lock) {}

const RegisteredRoot* RootsWhileStopped::at(uintptr_t address) const {
  return guard_ ? root_at(the_register(), address) : nullptr;
}

void hear_of_roots(MonoProfilerDesc* profiler) {
  set_callback(profiler, "gc_root_register", on_root_registered);
  set_callback(profiler, "gc_root_unregister", on_root_unregistered);
}

}  // namespace oriel::mono
