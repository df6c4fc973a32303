// Which compilations were observed. The default version of a method may be changed only in modules of which all
// compilations were observed, because a method that is compiled already must keep its body.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_set>

#include "oriel/oriel.h"
#include "runtimes/coreclr/loaded_modules.h"

namespace oriel::coreclr {

class ObservedCompilations {
 public:
  explicit ObservedCompilations(LoadedModules& modules) : modules_(modules) {}

  // From now on every compilation is reported, until reports are turned off; call stop() before that.
  void start();
  void stop() { hears_.store(false, std::memory_order_release); }
  bool is_observing() const { return hears_.load(std::memory_order_acquire); }

  // Whether all compilations of the module's methods are observed, and have been since it was loaded. This and the next
  // two: any thread.
  bool all_of(ModuleID module) const;
  // Compilations in the module are not recorded.
  void not_of(ModuleID module);
  void module_unloading(ModuleID module);

  // The thread begins to compile a method, or has finished. `again`: the method had code before.
  static void compilation_begins(oriel_method* method, bool again);
  // Returns whether its begin was reported.
  static bool compilation_ends();
  // When the calling thread's innermost compilation began, by base/clock; 0 if that was not reported.
  static uint64_t compilation_began();
  // The method that the calling thread is compiling; nullptr if there is none or it is not known. Async-safe.
  static oriel_method* compiled_method(bool* again);

 private:
  LoadedModules& modules_;
  std::atomic<bool> hears_{false};
  mutable std::mutex lock_;                  // guards the next two; it is the only lock held
  std::unordered_set<ModuleID> unobserved_;  // loaded before observation began, so methods of theirs may be compiled
                                             // already
  bool all_unobserved_ = false;
};

}  // namespace oriel::coreclr
