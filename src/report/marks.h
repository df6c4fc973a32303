// Marks in a log.
#pragma once

#include <string>

#include "profile/profile.h"
#include "report/words/json.h"

namespace oriel::report {

// "deploy 2" at 6.657 s; …: the first few; "" if there are none. Clean.
std::string marks_text(const profile::Profile& profile);

// All, in order.
Json marks_json(const profile::Profile& profile);

}  // namespace oriel::report
