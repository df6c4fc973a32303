// The page's list of garbage collections. viewer/10-data.js documents its JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "profile/profile.h"

namespace oriel::exports {

// Of those within a time range.
nlohmann::json page_collections(const profile::Profile& profile, int64_t from_ns, int64_t to_ns);

}  // namespace oriel::exports
