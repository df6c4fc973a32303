// The page's trees: of samples, of calls, of allocations, those that the log has. viewer/10-data.js says what their
// JSON means.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/status.h"
#include "export/export.h"
#include "export/frames.h"
#include "export/page_groups.h"

namespace oriel::exporting {

// Parts of the run that the page tells apart.
inline constexpr uint32_t kPartsOfRun = 240;

struct PageTrees {
  std::string trees;  // JSON, as text: there may be millions of numbers
  nlohmann::json weights = nlohmann::json::array();
};

// An error if a profile made on the way contradicts itself. `frames` are those of the profile.
Result<PageTrees> page_trees(const profile::Profile& profile, const Options& options, FrameTable& frames,
                             Groups& groups);

}  // namespace oriel::exporting
