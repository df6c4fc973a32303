// The processes of several logs, as text and JSON.
#pragma once

#include <optional>
#include <string>

#include "report/hints/hints.h"
#include "report/words/json.h"

namespace oriel::report {

// "3: 61.0 % csc (4712), 30.1 % dotnet-build (4711), …"; "" of a single one.
std::string processes_text(const profile::Profile& profile);

// Where the processes that it started, which have no logs, did more than itself.
std::optional<Hint> children_hint(const profile::Profile& profile);

// Each after the one that started it.
Json processes_json(const profile::Profile& profile);

}  // namespace oriel::report
