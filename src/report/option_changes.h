// How the options of modules changed while a log was written.
#pragma once

#include <string>

#include "profile/profile.h"
#include "report/words/json.h"

namespace oriel::report {

// "changed at 2.300 s: calls=Shop.*; stopped at 4.000 s"; "" if nothing changed. Clean.
std::string option_changes_text(const profile::Profile& profile);

// The changes in order; empty if nothing changed.
Json option_changes_json(const profile::Profile& profile);

}  // namespace oriel::report
