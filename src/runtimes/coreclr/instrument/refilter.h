// Changes probes of code that runs already.
#pragma once

#include <span>
#include <vector>

#include "runtimes/coreclr/instrument/sites.h"

namespace oriel::coreclr {

class Refilter {
 public:
  Refilter(ProfilerInfo& info, LoadedModules& modules, Sites& sites) : info_(info), modules_(modules), sites_(sites) {}

  // Filters were changed: asks them of all methods, and has those compiled again whose probes change. On the engine's
  // own thread.
  void run();
  // Asks them of these methods alone, and has those compiled again that rewriters change, or did. On the engine's own
  // thread.
  void make_anew(std::span<const SiteKey> methods);
  // Asks them of these alone, and has those compiled again whose probes change, all at once, with those whose default
  // body was cleared, and all that have any of these inlined. On the engine's own thread.
  void run_for(std::span<const SiteKey> methods, std::span<const SiteKey> cleared);
  // The runtime could not compile the method anew.
  void rejit_failed(const SiteKey& key);

 private:
  // What was in force of a site.
  struct Before {
    WantedChanges changes;
    bool made_anew = false;
  };
  // Methods of one module whose probes change.
  struct Changes {
    ModuleID module = 0;
    std::vector<Token> methods;
    std::vector<Before> before;  // of each
  };
  void find_changes(Changes& changes);
  std::vector<Token> methods_to_ask(ModuleID module);
  // `anew`: also where what is wanted has not changed, as rewriters may make something else of it.
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
