#include "arguments.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace oriel::cli {
namespace {

// Options of `run` whose value is the next argument.
constexpr std::array<std::string_view, 4> kWithValue = {"-o", "--output", "--module", "--inlining"};
// Options of `run` whose value, if they have one, stands behind a '='; but what looks like a pattern is no program.
constexpr std::array<std::string_view, 3> kWithPatterns = {"--calls", "--callgraph", "--alloc-in"};

bool is_pattern_of(const std::string& option, const std::string& word) {
  if (std::find(kWithPatterns.begin(), kWithPatterns.end(), option) == kWithPatterns.end()) return false;
  return !word.starts_with('-') && word.find_first_of("*?[]!,") != std::string::npos;
}

}  // namespace

Arguments split_arguments(const std::vector<std::string>& arguments) {
  Arguments split;
  if (arguments.empty() || arguments[0] != "run") {
    split.own = arguments;
    return split;
  }
  split.own.push_back(arguments[0]);
  size_t i = 1;
  while (i < arguments.size() && arguments[i].starts_with('-') && arguments[i] != "--") {
    const std::string& option = arguments[i++];
    split.own.push_back(option);
    if (i == arguments.size()) break;
    if (std::find(kWithValue.begin(), kWithValue.end(), option) != kWithValue.end()) {
      split.own.push_back(arguments[i++]);
    } else if (is_pattern_of(option, arguments[i])) {
      split.own.back() += "=" + arguments[i++];
    }
  }
  if (i < arguments.size() && arguments[i] == "--") i++;
  split.command.assign(arguments.begin() + static_cast<ptrdiff_t>(i), arguments.end());
  return split;
}

}  // namespace oriel::cli
