// Gives methods their probes and takes them out again.
//
// A method's default version is made once, before it is first compiled. What changes later is a ReJIT, and so is
// everything in modules whose compilations were not all heard.
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
      : heard(names.modules),
        sites(names.info, names.modules, heard),
        bodies(names, heard, sites, std::move(exceptions_needed)),
        definitions(names, bodies.tokens()),
        inlining(names.modules, heard, sites, bodies),
        inliners(names.info, names.modules, heard, sites),
        refilter(names.info, names.modules, sites) {}

  void module_unloading(ModuleID module) {
    bodies.module_unloading(module);
    inliners.module_unloading(module);
    sites.module_unloading(module);
    heard.module_unloading(module);
  }

  // Each uses those before it.
  Heard heard;              // which compilations were heard of
  Sites sites;              // the methods: what is wanted of each, and what its code has
  Bodies bodies;            // what methods are given
  Definitions definitions;  // what modules get while they are loaded
  Inlining inlining;        // code of one method in another's
  InlinerLists inliners;    // in whose
  Refilter refilter;        // what changes while code runs
};

}  // namespace oriel::coreclr
