// Makes coverage for people from what was counted: opens assemblies and their PDBs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coverage/coverage.h"
#include "coverage/rules.h"
#include "profile/tables.h"

namespace oriel::coverage {

struct AssemblyFile {
  std::string name;      // file name
  std::string path;      // of the file, or of a single-file program that may contain it; "" if loaded from memory
  std::string mvid;      // of the assembly that ran, 32 hexadecimal digits; "" if not known
  std::string pdb_path;  // path of its PDB when it was compiled
  uint32_t image = table::kNone;  // index of covered_images; kNone: it was never loaded

  bool loaded() const { return image != table::kNone; }
};
// Of the images that were counted.
std::vector<AssemblyFile> files_of(const std::vector<profile::CoveredImage>& images);

// Coverage of assemblies, by what the tables of coverage say of them. Problems with files are added once each to
// `problems`. `symbol_folders` as from pdb::symbol_folders.
Coverage build(const profile::Tables& counted, const std::vector<AssemblyFile>& assemblies, const Choice& choice,
               const std::vector<std::string>& symbol_folders);

// Coverage of all that was counted, and of assemblies beside that were never loaded. If only tests have code, sets
// choice.tests to include them.
Coverage coverage_of(const profile::Tables& counted, Choice& choice);

}  // namespace oriel::coverage
