// Which methods have a method inlined, as far as it is known.
#pragma once

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "engine/code_editor.h"
#include "runtimes/coreclr/instrument/observed_compilations.h"
#include "runtimes/coreclr/instrument/sites.h"

namespace oriel::coreclr {

// Any thread.
class InlinerLists {
 public:
  InlinerLists(ProfilerInfo& info, LoadedModules& modules, ObservedCompilations& compilations, Sites& sites)
      : info_(info), modules_(modules), compilations_(compilations), sites_(sites) {}

  // The compiler was allowed to inline the callee into the caller, which may itself be being inlined. Recorded while a
  // profiler has a rewriter.
  void note(FunctionID caller, FunctionID callee);
  // As oriel_method_inliners.
  Inliners of(const SiteKey& method);
  void module_unloading(ModuleID module);

 private:
  using Keys = std::unordered_set<SiteKey, MethodKeyHash>;
  Keys compiled_with(const SiteKey& method);
  bool add_precompiled(ModuleID in, const SiteKey& method, Keys& found);

  ProfilerInfo& info_;
  LoadedModules& modules_;
  ObservedCompilations& compilations_;
  Sites& sites_;
  std::atomic<bool> missed_{false};                           // some were not recorded
  std::mutex lock_;                                           // guards the next; nothing is called under it
  std::unordered_map<SiteKey, Keys, MethodKeyHash> callers_;  // by callee
};

}  // namespace oriel::coreclr
