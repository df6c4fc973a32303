// Two versions of a program compared, as text and JSON.
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

// One side: the runs of one version, and the files of their logs.
struct DiffSide {
  std::vector<profile::RunAmounts> runs;
  std::vector<std::string> files;
  std::map<std::string, std::string> lines;  // by name of Metric::kLine: "Cart.cs:42"
  std::set<std::string> programs;            // their names, as far as the logs tell them
};

// Adds what a run comes to, by line too where its PDBs are there and the options want it.
void add_run(const profile::Profile& run, const Options& options, DiffSide& side);

// Writes what has grown, shrunk, come and gone. An error if `out` fails.
Status write_diff(const DiffSide& before, const DiffSide& after, const Options& options, std::ostream& out);

}  // namespace oriel::report
