// Texts about the heap's size that several reports share.
#pragma once

#include <string>

#include "profile/profile.h"
#include "report/words/json.h"

namespace oriel::report {

// "480 MB after the last of 41 full collections, 12.0 MB after the first"; "" if not logged.
std::string heap_text(const profile::Profile& profile);
// "3 of the heap; the last at 2 min 00 s: 1.05 GB in 22,000,000 objects"; "" if there are none.
std::string heap_snapshots_text(const profile::Profile& profile);
// A sentence about continuous growth and its possible causes; "" if it did not grow.
std::string heap_growth_sentence(const profile::Profile& profile);

// "gen 0", "large".
const char* heap_part_name(size_t part);

// Bytes by part, and the total.
Json heap_json(const profile::HeapSizes& sizes);
// First, last and largest size, and the growth over full collections; null if not logged.
Json heap_of_run_json(const profile::Profile& profile);

}  // namespace oriel::report
