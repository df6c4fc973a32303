// The modules that are loaded now, and their metadata. Unloads wait for whoever asks about one (unload_gate.h).
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

// A module's metadata, opened anew: for whoever looks at a module once, or at what others have added since. Not open if
// the runtime has none, or the module is gone. Used no longer than the gate is held. `answered`: whether the runtime
// said so, also that it has none, rather than that it cannot tell.
ModuleMetadata open_metadata(const Held& held, ProfilerInfo& info, ModuleID module, bool* answered = nullptr);

class LoadedModules {
 public:
  explicit LoadedModules(ProfilerInfo& info) : info_(info) {}

  // A module's metadata; not open if the runtime has none, or the module is gone. Opened when it is first asked for:
  // opening them as modules load would be most of a profiler's start-up. Any thread, in a callback about the module or
  // with a Held, and used no longer than that: not open for anybody else.
  ModuleMetadata metadata(ModuleID module);
  // The modules that are loaded now; any may be gone when it is asked about (see while_loaded). Any thread.
  std::vector<ModuleID> all() const;
  // Visits those that have metadata, the core library first, until `visit` returns false. Any thread. Unloads wait for
  // each visit.
  void for_each(const std::function<bool(ModuleID, const ModuleMetadata&)>& visit);

  // Runs `what` if the module is not gone; unloads wait for it, so it must be short. Any thread.
  void while_loaded(ModuleID module, const std::function<void()>& what);

  // The module's metadata is not read any more as it was opened: it is being unloaded, or has got new types.
  void close(ModuleID module);

 private:
  ProfilerInfo& info_;
  std::mutex open_lock_;  // guards the next
  std::unordered_map<ModuleID, ModuleMetadata> open_;
};

}  // namespace oriel::coreclr
