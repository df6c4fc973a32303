// From what was counted to what people read: opens assemblies and their PDBs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "coverage/coverage.h"
#include "coverage/method_points.h"
#include "coverage/rules.h"

namespace oriel::coverage {

// Of one assembly, by row of its methods that ran.
using MethodCounts = std::map<uint32_t, std::vector<Counted>>;

struct CountedAssembly {
  std::string name;      // of its file
  std::string path;      // of it, or of the program that may have it in it; "" if it was loaded from memory
  std::string mvid;      // of what ran, 32 hexadecimal digits; "" where that is not known
  std::string pdb_path;  // where its PDB was when it was compiled
  bool user_code = true;
  bool loaded = true;
  MethodCounts methods;
  // What tests ran of it, by the row of a method, then by the names of those that ran at the same time, joined by '\n'.
  std::map<uint32_t, std::map<std::string, std::vector<Counted>>> tests;
};

// Files and problems are told in `problems`, once each. `symbol_folders`: as pdb::symbol_folders gives them.
// `names_of_tests`: those that are told of though they ran nothing that counts.
Coverage build(const std::vector<CountedAssembly>& counted, bool counts, const Choice& choice,
               const std::vector<std::string>& symbol_folders, const std::vector<std::string>& names_of_tests = {});

}  // namespace oriel::coverage
