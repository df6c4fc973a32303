// Which lines somebody changed, as git tells them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace oriel::coverage {

// By path within the repository, the lines that a diff added or changed. `diff` is what `git diff` writes, however it
// is told to write paths.
std::map<std::string, std::set<uint32_t>> changed_lines(const std::string& diff);

}  // namespace oriel::coverage
