// The modules that are loaded now, and their metadata. Asking about one waits for unloads, and these for it.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/names/module_metadata.h"
#include "runtimes/coreclr/unload_gate.h"

namespace oriel::coreclr {

class LoadedModules {
 public:
  explicit LoadedModules(ProfilerInfo& info) : info_(info) {}

  // A module's metadata; not open if the runtime has none. Opened when it is first asked for: opening them
  // as modules load would be most of a profiler's start-up. Any thread.
  ModuleMetadata metadata(ModuleID module);
  // The modules that are loaded now; any may be gone when it is asked about (see while_loaded). Any thread.
  std::vector<ModuleID> all() const;
  // Visits those that have metadata, the core library first, until `visit` returns false. Any thread. Unloads wait for
  // each visit; ends early if something is being unloaded.
  void for_each(const std::function<bool(ModuleID, const ModuleMetadata&)>& visit);

  // Runs `what` while nothing is unloaded; unloads wait for it, so it must be short. Not at all if the module is gone.
  // False if something is being unloaded just now: nothing ran. Any thread.
  bool if_loaded(ModuleID module, const std::function<void()>& what);
  // The same, but waits until it can, which is seconds at most. Not for threads that an unload may wait for.
  void while_loaded(ModuleID module, const std::function<void()>& what);

  // Was the module unloaded? Or the dynamic method, or the method made for types of such a module. For a while their
  // code can still be found by address, though what it belonged to must not be asked about any more. Any thread.
  bool is_gone(uintptr_t id);
  void gone(uintptr_t id);
  // The runtime uses the id again; before anyone meets it.
  void back(uintptr_t id);

  // The module's metadata is not read any more as it was opened: it is being unloaded, or has got new types.
  void close(ModuleID module);
  UnloadGate& gate() { return gate_; }

 private:
  ProfilerInfo& info_;
  UnloadGate gate_;
  std::mutex open_lock_;  // guards the next
  std::unordered_map<ModuleID, ModuleMetadata> open_;
  std::mutex gone_lock_;  // guards the next
  std::unordered_set<uintptr_t> gone_;
};

}  // namespace oriel::coreclr
