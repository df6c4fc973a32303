// What the summary says of requests.
#pragma once

#include <string>
#include <vector>

#include "report/hints/hints.h"

namespace oriel::report {

// "1,200, 12.3 ms on average, 95 % within 45 ms; most time in GET /orders"; "" if the log has none.
std::string requests_text(const profile::Profile& profile);

// Adds what says that requests do one thing many times each.
void add_request_hints(const profile::Profile& profile, std::vector<Hint>& to);

}  // namespace oriel::report
