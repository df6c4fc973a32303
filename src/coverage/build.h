// Makes coverage for people from counted points: opens assemblies and their PDBs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "coverage/coverage.h"
#include "coverage/method_points.h"
#include "coverage/rules.h"

namespace oriel::coverage {

// By row of the methods of an assembly that ran.
using MethodCounts = std::map<uint32_t, std::vector<Counted>>;

struct CountedAssembly {
  std::string name;      // file name
  std::string path;      // of the file, or of a single-file program that may contain it; "" if loaded from memory
  std::string mvid;      // of the assembly that ran, 32 hexadecimal digits; "" if not known
  std::string pdb_path;  // path of its PDB when it was compiled
  bool user_code = true;
  bool loaded = true;
  MethodCounts methods;
  // Coverage by tests: by method row, then by the names of tests that ran at the same time, joined by '\n'.
  std::map<uint32_t, std::map<std::string, std::vector<Counted>>> tests;
};

// Problems with files are added once each to `problems`. `symbol_folders` as from pdb::symbol_folders. `names_of_tests`
// are listed even if they ran no counted code.
Coverage build(const std::vector<CountedAssembly>& counted, bool counts, const Choice& choice,
               const std::vector<std::string>& symbol_folders, const std::vector<std::string>& names_of_tests = {});

}  // namespace oriel::coverage
