// Hints: what to do about what the summary shows, each with the figure it is based on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/words/json.h"

namespace oriel::report {

struct Hint {
  std::string_view key = "";  // for JSON
  double share = 0;           // of the program's own samples, without Oriel's; 0 if not based on samples
  std::string text;           // whole sentences
  std::string command;        // shell command for details: "oriel report lines Shop.Cart.Add"
  bool is_limit = false;      // a limit of the container or control group; comes before hints about the program
};

// Whether a time is worth a hint: at least 0.2 s and 2 % of the run.
bool is_significant_time(int64_t ns, const profile::Profile& profile);
// The same for samples, of which there must be at least ten to be significant.
bool are_significant_samples(uint64_t periods, const profile::Profile& profile);

// The most important hints, heaviest first; may be empty.
std::vector<Hint> hints(const profile::Profile& profile);
Json hints_json(const profile::Profile& profile);

}  // namespace oriel::report
