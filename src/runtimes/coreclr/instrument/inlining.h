// Keeps probes in inlined code: in what was inlined when a method was precompiled, and in what the compiler is about to
// inline.
#pragma once

#include "runtimes/coreclr/instrument/bodies.h"
#include "runtimes/coreclr/instrument/observed_compilations.h"
#include "runtimes/coreclr/instrument/sites.h"

namespace oriel::coreclr {

// Called on any thread that compiles.
class Inlining {
 public:
  Inlining(LoadedModules& modules, ObservedCompilations& compilations, Sites& sites, Bodies& bodies)
      : modules_(modules), compilations_(compilations), sites_(sites), bodies_(bodies) {}

  // The runtime looks for precompiled code of the method. Whether it must compile the method instead.
  bool refuses_precompiled(FunctionID function);
  // Whether the callee may be inlined into a method that is being compiled.
  bool may_inline(FunctionID callee);

 private:
  bool changes_code(Site& site);
  bool has_changes_within(Site& root);
  bool may_have_been_inlined(const ModuleMetadata& metadata, Site& callee);

  LoadedModules& modules_;
  ObservedCompilations& compilations_;
  Sites& sites_;
  Bodies& bodies_;
};

}  // namespace oriel::coreclr
