// The lines of source files that have counted code, of which a log only has places in methods: the rest is in PDBs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "report/coverage/coverage_text.h"

namespace oriel::query {

struct CoveredLines {
  struct Line {
    uint32_t file = 0;  // index into files
    uint32_t number = 0;
    uint64_t hits = 0;
    uint64_t ways = 0, ways_taken = 0;
    report::LineState state = report::LineState::kMissed;
  };
  std::vector<std::string> files;
  std::vector<Line> lines;  // by file and number
};

// The same as the coverage report's. Opens assemblies and their PDBs; where these are not found, there are no lines.
CoveredLines covered_lines(const profile::Profile& profile);

}  // namespace oriel::query
