// Changes the probes of running code.
#pragma once

#include <span>
#include <vector>

#include "runtimes/coreclr/instrument/sites.h"

namespace oriel::coreclr {

class Refilter {
 public:
  Refilter(ProfilerInfo& info, LoadedModules& modules, Sites& sites) : info_(info), modules_(modules), sites_(sites) {}

  // Filters have changed: applies them to all methods, and recompiles those whose probes change. On the engine's own
  // thread.
  void run();
  // Applies filters to these methods only, and recompiles those that rewriters change or have changed. On the engine's
  // own thread.
  void recompile_methods(std::span<const SiteKey> methods);
  // Applies filters to these methods only. Recompiles in one request those whose probes change and those whose default
  // body was cleared, with all methods that have any of these inlined. On the engine's own thread.
  void run_for(std::span<const SiteKey> methods, std::span<const SiteKey> cleared);
  // The runtime could not recompile the method.
  void rejit_failed(const SiteKey& key);

 private:
  // The changes in force in a site.
  struct Before {
    WantedChanges changes;
    bool has_own_version = false;
  };
  // Methods of one module whose probes change.
  struct Changes {
    ModuleID module = 0;
    std::vector<Token> methods;
    std::vector<Before> before;  // one for each method
  };
  void find_changes(Changes& changes);
  std::vector<Token> methods_to_ask(ModuleID module);
  // `anew`: also if the wanted changes are the same, because rewriters may produce a different body.
  void refilter_method(const SiteKey& key, Changes& changes, bool anew);
  void compile_all(Changes& changes, bool to_default);
  void compile(Changes& changes, size_t first, size_t count, bool to_default);
  void revert(Changes& changes, size_t first, size_t count);
  void request(Changes& changes, size_t first, size_t count);
  void restore(const Changes& changes, size_t first, size_t count);

  ProfilerInfo& info_;
  LoadedModules& modules_;
  Sites& sites_;
};

}  // namespace oriel::coreclr
