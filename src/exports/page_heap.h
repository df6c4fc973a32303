// The page's snapshots of the heap: a tree of what holds how much for each. viewer/10-data.js documents their JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "exports/frames.h"
#include "exports/page_groups.h"

namespace oriel::exports {

// What the page says of snapshots, whose trees it adds to `trees`, numbered from `first_tree`. Objects and roots get
// frames, at the end of the table. Without snapshots it is an object of empty lists.
nlohmann::json page_heap(const profile::Profile& profile, size_t first_tree, FrameTable& frames, Groups& groups,
                         std::vector<std::string>& trees);

}  // namespace oriel::exports
