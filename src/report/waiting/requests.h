// The summary's text and hints about requests.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"
#include "report/hints/hint.h"

namespace oriel::report {

// "1,200, 12.3 ms on average, 95 % within 45 ms; most time in GET /orders"; "" if the log has none.
std::string requests_text(const profile::Profile& profile);

// Adds hints about requests that repeat one operation many times (N+1).
void add_request_hints(const profile::Profile& profile, std::vector<Hint>& to);

}  // namespace oriel::report
