// The processes of several logs, as text and JSON.
#pragma once

#include <optional>
#include <string>

#include "report/hints/hints.h"
#include "report/words/json.h"

namespace oriel::report {

// "3: 61.0 % csc (4712), 30.1 % dotnet-build (4711), …"; "" for a single process.
std::string processes_text(const profile::Profile& profile);

// A hint if child processes without logs used more CPU than the process itself.
std::optional<Hint> children_hint(const profile::Profile& profile);

// Parents before their children.
Json processes_json(const profile::Profile& profile);

}  // namespace oriel::report
