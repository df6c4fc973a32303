// The page's list of garbage collections. viewer/10-data.js documents its JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "profile/profile.h"

namespace oriel::exports {

nlohmann::json page_collections(const profile::Profile& profile);

}  // namespace oriel::exports
