// The page's lines of source: where in a method samples are.
#pragma once

#include <nlohmann/json.hpp>

#include "export/frames.h"

namespace oriel::exporting {

// Of the methods with most samples whose lines are known: {"files": paths, "of": [[frame, [[file, line, self, total,
// text], …]], …]}, lines most total first. The text is "" where the source is not on this machine or has changed.
nlohmann::json page_lines(const profile::Profile& profile, const FrameTable& frames);

}  // namespace oriel::exporting
