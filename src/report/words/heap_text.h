// What several reports say of the heap's size.
#pragma once

#include <string>

#include "profile/profile.h"
#include "report/words/json.h"

namespace oriel::report {

// "480 MB after the last of 41 full collections, 12.0 MB after the first"; "" where the log does not tell.
std::string heap_text(const profile::Profile& profile);
// Where it grew all the time, what that may be; "" otherwise.
std::string heap_growth_sentence(const profile::Profile& profile);

// "gen 0", "large".
const char* heap_part_name(size_t part);

// Bytes by part, and in all.
Json heap_json(const profile::HeapSizes& sizes);
// The first, the last, the most, and the growth over full collections; null where the log does not tell.
Json heap_of_run_json(const profile::Profile& profile);

}  // namespace oriel::report
