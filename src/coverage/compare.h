// Coverage beside an earlier one, or beside lines that somebody changed.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "coverage/coverage.h"

namespace oriel::coverage {

// By path: which lines have code, and whether they ran.
using LineStates = std::map<std::string, std::map<uint32_t, bool>>;
LineStates states_of(const Coverage& coverage);
// Of JSON as `oriel cover --format json` writes it. The error says what is wrong with it.
Result<LineStates> read_states(const std::string& json);

struct FileChange {
  std::string path;
  uint64_t lines = 0, lines_before = 0;  // with code
  uint64_t hit = 0, hit_before = 0;
};
// Files whose figures differ, those that lost most first. Paths are compared without what all of a side have in common.
std::vector<FileChange> changes(const LineStates& before, const LineStates& now);

struct TouchedFile {
  std::string path;
  std::vector<uint32_t> covered;
  std::vector<uint32_t> missed;
};
// What of changed lines has code, and whether it ran. Git's paths are the ends of the others.
std::vector<TouchedFile> touched(const std::map<std::string, std::set<uint32_t>>& changed, const LineStates& states);

}  // namespace oriel::coverage
