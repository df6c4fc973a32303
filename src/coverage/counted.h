// What logs have counted, as build() takes it.
#pragma once

#include <string>
#include <vector>

#include "coverage/build.h"
#include "profile/coverage.h"

namespace oriel::coverage {

std::vector<CountedAssembly> counted_of(const profile::Coverage& coverage);

// Adds the assemblies that stand beside these and were never loaded, if they are somebody's own: their PDB and some of
// their sources are on this machine. `symbol_folders`: as pdb::symbol_folders gives them.
void add_unloaded(std::vector<CountedAssembly>& counted, const std::vector<std::string>& symbol_folders);

// All of it together. If there is nothing but tests, these are what was meant, and chosen.
Coverage coverage_of(const profile::Coverage& counted, Choice& choice);

}  // namespace oriel::coverage
