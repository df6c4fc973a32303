// What is wrong where a program has run and no log is there.
#pragma once

#include <string>
#include <vector>

namespace oriel::cli {

// `path`: of the file that was executed.
std::string why_no_log(const std::vector<std::string>& command, const std::string& path, bool with_children);

}  // namespace oriel::cli
