// Changed lines, from git.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace oriel::coverage {

// By path in the repository: lines that a diff added or changed. `diff` is the output of `git diff`, with any path
// prefixes.
std::map<std::string, std::set<uint32_t>> changed_lines(const std::string& diff);

}  // namespace oriel::coverage
