// The modules that are loaded now, and their metadata. Unloads wait for questions about a module (unload_gate.h).
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/names/module_metadata.h"
#include "runtimes/coreclr/unload_gate.h"

namespace oriel::coreclr {

// Opens a module's metadata anew, to look at a module once or at what others have added since. Not open if the runtime
// has none, or the module is gone. Valid no longer than the gate is held. `answered`: whether the runtime gave a
// definite answer, which may be that there is none, rather than that it cannot tell.
ModuleMetadata open_metadata(const Held& held, ProfilerInfo& info, ModuleID module, bool* answered = nullptr);

class LoadedModules {
 public:
  explicit LoadedModules(ProfilerInfo& info) : info_(info) {}

  // A module's metadata; not open if the runtime has none, or the module is gone. It is opened on first use: opening it
  // for every load would take most of a profiler's start-up time. Any thread, in a callback about the module or with a
  // Held, and valid no longer than that. Not open for any other caller.
  ModuleMetadata metadata(ModuleID module);
  // The modules that are loaded now. Any of them may be gone when it is used (see while_loaded). Any thread.
  std::vector<ModuleID> all() const;
  // Visits the modules that have metadata, the core library first, until `visit` returns false. Unloads wait for each
  // visit. Any thread.
  void for_each(const std::function<bool(ModuleID, const ModuleMetadata&)>& visit);

  // Runs `what` if the module is not gone. Unloads wait for it, so it must be short. Any thread.
  void while_loaded(ModuleID module, const std::function<void()>& what);

  // Drops the module's open metadata, because the module is being unloaded or has got new types.
  void close(ModuleID module);

 private:
  ProfilerInfo& info_;
  std::mutex open_lock_;  // guards the next
  std::unordered_map<ModuleID, ModuleMetadata> open_;
};

}  // namespace oriel::coreclr
