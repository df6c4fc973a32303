// Compares coverage with an earlier one, or with changed lines.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "coverage/coverage.h"

namespace oriel::coverage {

// By path: lines with code, and whether they ran.
using LineStates = std::map<std::string, std::map<uint32_t, bool>>;
LineStates states_of(const Coverage& coverage);
// Reads the output of `oriel cover --format json`. An error says what is wrong with it.
Result<LineStates> read_states(const std::string& json);

struct FileChange {
  std::string path;
  uint64_t lines = 0, lines_before = 0;  // lines with code
  uint64_t hit = 0, hit_before = 0;
};
// Files with changed figures, largest loss first. Paths are compared without each side's common prefix.
std::vector<FileChange> changes(const LineStates& before, const LineStates& now);

struct TouchedFile {
  std::string path;
  std::vector<uint32_t> covered;
  std::vector<uint32_t> missed;
};
// Changed lines with code, and whether they ran. Git's paths are matched as suffixes of the others.
std::vector<TouchedFile> touched(const std::map<std::string, std::set<uint32_t>>& changed, const LineStates& states);

}  // namespace oriel::coverage
