// Two versions of a program compared, as text and JSON.
#pragma once

#include <iosfwd>
#include <vector>

#include "base/status.h"
#include "profile/diff.h"
#include "report/report.h"

namespace oriel::report {

// One side: the runs of one version, and the files of their logs.
struct DiffSide {
  std::vector<profile::RunAmounts> runs;
  std::vector<std::string> files;
};

// Writes what has grown, shrunk, come and gone. An error if `out` fails.
Status write_diff(const DiffSide& before, const DiffSide& after, const Options& options, std::ostream& out);

}  // namespace oriel::report
