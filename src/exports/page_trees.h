// The page's trees of samples, calls, allocations and snapshots of the heap, as far as logged. viewer/10-data.js
// documents their JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "exports/export.h"
#include "exports/frames.h"
#include "exports/page_groups.h"

namespace oriel::exports {

// Resolution of the page's time ranges.
inline constexpr uint32_t kPartsOfRun = 240;

struct PageTrees {
  std::vector<std::string> trees;  // each as JSON text: it may have millions of numbers
  nlohmann::json weights = nlohmann::json::array();
  nlohmann::json heap;  // as page_heap makes it
};

// An error if a derived profile is inconsistent. `frames` are the profile's.
Result<PageTrees> page_trees(const profile::Profile& profile, const Options& options, FrameTable& frames,
                             Groups& groups);

}  // namespace oriel::exports
