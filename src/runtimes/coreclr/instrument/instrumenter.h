// Adds probes to methods and removes them again.
//
// A method's default version is decided once, before it is first compiled. Later changes are made by ReJIT, and so are
// all changes in modules of which some compilations were not observed.
#pragma once

#include <functional>
#include <utility>

#include "runtimes/coreclr/instrument/bodies.h"
#include "runtimes/coreclr/instrument/definitions.h"
#include "runtimes/coreclr/instrument/inliners.h"
#include "runtimes/coreclr/instrument/inlining.h"
#include "runtimes/coreclr/instrument/observed_compilations.h"
#include "runtimes/coreclr/instrument/refilter.h"
#include "runtimes/coreclr/instrument/sites.h"

namespace oriel::coreclr {

struct Instrumenter {
  // `exceptions_needed` is called when bodies.needs_exception_callbacks() becomes true.
  Instrumenter(const Names& names, std::function<void()> exceptions_needed)
      : compilations(names.modules),
        sites(names.info, names.modules, compilations),
        bodies(names, compilations, sites, std::move(exceptions_needed)),
        definitions(names, bodies.tokens()),
        inlining(names.modules, compilations, sites, bodies),
        inliners(names.info, names.modules, compilations, sites),
        refilter(names.info, names.modules, sites) {}

  void module_unloading(ModuleID module) {
    bodies.module_unloading(module);
    inliners.module_unloading(module);
    sites.module_unloading(module);
    compilations.module_unloading(module);
  }

  // Each uses only those before it.
  ObservedCompilations compilations;  // which compilations were observed
  Sites sites;                        // the methods: the wanted changes of each, and those that its code has
  Bodies bodies;                      // methods' changed bodies
  Definitions definitions;            // what is added to modules while they are loaded
  Inlining inlining;                  // code of one method in another's
  InlinerLists inliners;              // the callers that have it
  Refilter refilter;                  // changes while code runs
};

}  // namespace oriel::coreclr
