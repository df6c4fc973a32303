// Which compilations were heard of. Only of modules whose compilations were all heard may the default versions of
// methods be changed: what is compiled already must not.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_set>

#include "oriel/oriel.h"
#include "runtimes/coreclr/loaded_modules.h"

namespace oriel::coreclr {

class Heard {
 public:
  explicit Heard(LoadedModules& modules) : modules_(modules) {}

  // From now on every compilation is announced, until announcements are turned off; say stop() before that.
  void start();
  void stop() { hears_.store(false, std::memory_order_release); }
  bool hears() const { return hears_.load(std::memory_order_acquire); }

  // Are all compilations of the module's methods heard, and were they since it was loaded? Any thread, as the next two.
  bool all_of(ModuleID module) const;
  // Nobody keeps a record of what is compiled in the module.
  void not_of(ModuleID module);
  void module_unloading(ModuleID module);

  // The thread begins to compile a method, or is through with it. `again`: the method had code before.
  static void compilation_begins(oriel_method* method, bool again);
  static void compilation_ends();
  // When the compilation began that the calling thread is in, by base/clock; 0 if that was not heard.
  static uint64_t compilation_began();
  // The method that the calling thread is compiling; nullptr if it is not, or that is not known. Async-safe.
  static oriel_method* compiled_method(bool* again);

 private:
  LoadedModules& modules_;
  std::atomic<bool> hears_{false};
  mutable std::mutex lock_;               // the next two; under no other lock, and none is taken under it
  std::unordered_set<ModuleID> unheard_;  // loaded before hearing began: methods of theirs may be compiled already
  bool all_unheard_ = false;
};

}  // namespace oriel::coreclr
