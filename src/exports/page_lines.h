// Source lines with samples, for the page.
#pragma once

#include <nlohmann/json.hpp>

#include "exports/frames.h"

namespace oriel::exports {

// For the methods with most samples and known lines: {"files": paths, "of": [[frame, [[file, line, self, total, text],
// …]], …]}, lines by total, descending. The text is "" if the source is not on this machine or has changed.
nlohmann::json page_lines(const profile::Profile& profile, const FrameTable& frames);

}  // namespace oriel::exports
