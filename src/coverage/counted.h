// Converts coverage in logs to the input of build().
#pragma once

#include <string>
#include <vector>

#include "coverage/build.h"
#include "profile/coverage.h"

namespace oriel::coverage {

std::vector<CountedAssembly> counted_of(const profile::Coverage& coverage);

// Adds assemblies beside these that were never loaded, if they are the user's: their PDB and some of their sources must
// be on this machine. `symbol_folders` as from pdb::symbol_folders.
void add_unloaded(std::vector<CountedAssembly>& counted, const std::vector<std::string>& symbol_folders);

// Makes coverage of the counted and the unloaded assemblies. If only tests have code, sets choice.tests to include
// them.
Coverage coverage_of(const profile::Coverage& counted, Choice& choice);

}  // namespace oriel::coverage
