// What a person can do about what the summary shows, each with the number that it follows from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/words/json.h"

namespace oriel::report {

struct Hint {
  std::string_view key = "";  // in JSON
  double share = 0;           // of the program's own samples, without Oriel's; 0 where it follows from something else
  std::string text;           // whole sentences
  std::string command;        // what shows more of it, for a shell: "oriel report lines Shop.Cart.Add"
  bool is_limit = false;      // of the container or the control group, above all that lies in the program
};

// Whether what a hint is about takes enough to read it: a fifth of a second, and a fiftieth of the run.
bool is_worth(int64_t ns, const profile::Profile& profile);
// The same of samples, at least ten: fewer may be chance.
bool are_worth(uint64_t periods, const profile::Profile& profile);

// The weightiest first; none where nothing stands out.
std::vector<Hint> hints(const profile::Profile& profile);
Json hints_json(const profile::Profile& profile);

}  // namespace oriel::report
