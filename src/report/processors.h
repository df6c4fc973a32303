// What the program lacked processors for: the time that its threads were ready to run and did not.
#pragma once

#include <optional>
#include <string>

#include "report/hints/hints.h"
#include "report/words/json.h"

namespace oriel::report {

// ", 0.26 of 2 cores busy"; "" if the log does not tell.
std::string busy_text(const profile::Profile& profile);

// How long threads were ready without a processor, and what its limit did; "" where that is next to nothing.
std::string ready_text(const profile::Profile& profile);

// Where they were so for longer than they ran ("processors"), or a limit stopped them ("limit").
std::optional<Hint> processors_hint(const profile::Profile& profile);

Json processors_json(const profile::Profile& profile);

}  // namespace oriel::report
