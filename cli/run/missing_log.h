// Why a program ran without a log.
#pragma once

#include <string>
#include <vector>

namespace oriel::cli {

// `path` of the executed file.
std::string why_no_log(const std::vector<std::string>& command, const std::string& path, bool with_children);

}  // namespace oriel::cli
