// Assemblies that were never loaded, beside those that were.
#pragma once

#include <string>
#include <vector>

#include "coverage/build.h"

namespace oriel::coverage {

// Adds assemblies beside these that were never loaded, if they are the user's: their PDB and some of their sources must
// be on this machine. `symbol_folders` as from pdb::symbol_folders.
void add_unloaded(std::vector<AssemblyFile>& files, const std::vector<std::string>& symbol_folders);

}  // namespace oriel::coverage
