// Keeps probes where code of one method stands in another's: what was inlined when it was precompiled, and what the
// compiler is about to inline.
#pragma once

#include "runtimes/coreclr/instrument/bodies.h"
#include "runtimes/coreclr/instrument/observed_compilations.h"
#include "runtimes/coreclr/instrument/sites.h"

namespace oriel::coreclr {

// Any thread that compiles.
class Inlining {
 public:
  Inlining(LoadedModules& modules, Heard& heard, Sites& sites, Bodies& bodies)
      : modules_(modules), heard_(heard), sites_(sites), bodies_(bodies) {}

  // The runtime looks for precompiled code of the method: must it compile the method instead?
  bool refuses_precompiled(FunctionID function);
  // A method that is being compiled is about to have the callee inlined: may it?
  bool may_inline(FunctionID callee);

 private:
  bool changes_code(Site& site);
  bool has_changes_within(Site& root);
  bool may_have_been_inlined(const ModuleMetadata& metadata, Site& callee);

  LoadedModules& modules_;
  Heard& heard_;
  Sites& sites_;
  Bodies& bodies_;
};

}  // namespace oriel::coreclr
