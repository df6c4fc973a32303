// The page's timeline: threads, requests, pauses and counters over the run. viewer/10-data.js documents its JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "profile/profile.h"

namespace oriel::exports {

nlohmann::json page_timeline(const profile::Profile& profile);

}  // namespace oriel::exports
