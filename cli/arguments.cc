#include "arguments.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace oriel::cli {
namespace {

// Options of `run` whose value is the next argument.
constexpr std::array<std::string_view, 3> kWithValue = {"-o", "--output", "--module"};

}  // namespace

Arguments split_arguments(const std::vector<std::string>& arguments) {
  Arguments split;
  if (arguments.empty() || arguments[0] != "run") {
    split.own = arguments;
    return split;
  }
  size_t i = 1;
  while (i < arguments.size() && arguments[i].starts_with('-') && arguments[i] != "--") {
    const bool has_value = std::find(kWithValue.begin(), kWithValue.end(), arguments[i]) != kWithValue.end();
    i += has_value && i + 1 < arguments.size() ? 2 : 1;
  }
  split.own.assign(arguments.begin(), arguments.begin() + static_cast<ptrdiff_t>(i));
  if (i < arguments.size() && arguments[i] == "--") i++;
  split.command.assign(arguments.begin() + static_cast<ptrdiff_t>(i), arguments.end());
  return split;
}

}  // namespace oriel::cli
