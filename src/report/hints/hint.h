// A hint: what to do about something that the summary shows.
#pragma once

#include <string>
#include <string_view>

namespace oriel::report {

struct Hint {
  std::string_view key = "";  // for JSON
  double share = 0;           // of the program's own samples, without Oriel's; 0 if not based on samples
  std::string text;           // whole sentences
  std::string command;        // shell command for details: "oriel report lines Shop.Cart.Add"
  bool is_limit = false;      // a limit of the container or control group; comes before hints about the program
};

}  // namespace oriel::report
