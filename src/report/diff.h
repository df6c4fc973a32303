// Compares two versions of a program, as text and JSON.
#pragma once

#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "profile/trees/diff.h"
#include "report/report.h"

namespace oriel::report {

// One side: the runs of one version, and their log files.
struct DiffSide {
  std::vector<profile::RunAmounts> runs;
  std::vector<std::string> files;
  std::map<std::string, std::string> lines;  // by name of Metric::kLine: "Cart.cs:42"
  std::set<std::string> programs;            // program names, as far as logged
  std::set<std::string> times;               // what the samples are of: "CPU time"
};

// Adds a run's figures; also by line if the options ask for it and its PDBs are found.
void add_run(const profile::Profile& run, const Options& options, DiffSide& side);

// Writes what grew, shrank, appeared and disappeared. An error if `out` fails.
Status write_diff(const DiffSide& before, const DiffSide& after, const Options& options, std::ostream& out);

}  // namespace oriel::report
