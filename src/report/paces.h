// How Oriel kept within its budget.
#pragma once

#include <string>

#include "profile/profile.h"
#include "report/words/json.h"

namespace oriel::report {

// "sampling lowered from 250 to 103 a second at 1.200 s, raised to 140 at 9.000 s, to stay within 1 % of the program's
// CPU time"; "" if it never changed.
std::string paces_text(const profile::Profile& profile);

Json paces_json(const profile::Profile& profile);

}  // namespace oriel::report
