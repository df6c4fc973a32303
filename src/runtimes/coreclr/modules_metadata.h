// The runtime's metadata readers, one a module, opened when the first name in it is asked for: opening them as modules
// load would be most of a profiler's start-up.
#pragma once

#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

class ModulesMetadata {
 public:
  explicit ModulesMetadata(ProfilerInfo& info) : info_(info) {}

  // The module's reader; empty if the runtime has none. Any thread.
  ComPtr<MetaDataImport> of(ModuleID module);
  // Visits the readers of the modules that are loaded now, the core library's first, until `visit` returns false. Any
  // thread. Unloads wait for each visit; ends early if something is being unloaded.
  void for_each_loaded(const std::function<bool(ModuleID, MetaDataImport&)>& visit);
  // The modules that are loaded now; any may be gone when it is asked about (see while_loaded.h). Any thread.
  std::vector<ModuleID> loaded() const;
  // The module is being unloaded.
  void forget(ModuleID module);

 private:
  ProfilerInfo& info_;
  std::mutex mutex_;
  std::unordered_map<ModuleID, ComPtr<MetaDataImport>> open_;
};

}  // namespace oriel::coreclr
