// The heap report's --alive: sampled objects that are still alive, by the calls that allocated them.
#pragma once

#include <ostream>

#include "report/memory/heap_data.h"
#include "report/words/json.h"

namespace oriel::report {

// An error for options that do not fit together, or a number that is none.
Status check_alive(const profile::Profile& profile, const HeapOptions& options);
// How much is alive by age, and the tree.
void write_alive(const profile::Profile& profile, const HeapOptions& options, std::ostream& out);
void alive_json(const profile::Profile& profile, const HeapOptions& options, Json& json);

}  // namespace oriel::report
