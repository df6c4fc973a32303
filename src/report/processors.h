// Lack of processors: time in which threads were ready to run but did not.
#pragma once

#include <optional>
#include <string>

#include "report/hints/hints.h"
#include "report/words/json.h"

namespace oriel::report {

// ", 0.26 of 2 cores busy"; "" if the log does not tell.
std::string busy_text(const profile::Profile& profile);

// How long threads were ready without a processor, and how a CPU limit throttled them; "" if negligible.
std::string ready_text(const profile::Profile& profile);

// A hint if threads were ready without a processor longer than they ran ("processors"), or a limit throttled them
// ("limit").
std::optional<Hint> processors_hint(const profile::Profile& profile);

Json processors_json(const profile::Profile& profile);

}  // namespace oriel::report
