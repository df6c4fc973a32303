// What a run was asked to record, as its log's intro tells: only where something was recorded does nothing of it mean
// that it did not happen.
#pragma once

#include <string>
#include <string_view>

#include "profile/profile.h"

namespace oriel::profile {

// A log of the callgraph module, which holds counted calls and nothing else.
bool is_call_graph(const Profile& profile);

// Whether events of a group ("gc", "exceptions", "threads", … as in --module log:events=) were recorded. A log that
// does not tell is taken to have all, but a call graph has none.
bool has_events(const Profile& profile, std::string_view group);

// Whether samples, calls and allocations were recorded, though there may be none.
bool is_sampled(const Profile& profile);
bool has_calls(const Profile& profile);
bool has_allocations(const Profile& profile);

// Why there is none, for a log without any: "no calls in this log: …". `option` is how to run the program so that there
// are calls. Patterns come from the log as they are, control characters and all.
std::string why_no_calls(const Profile& profile, std::string_view option);
std::string why_no_allocations(const Profile& profile);
std::string why_nothing_sampled(const Profile& profile);

}  // namespace oriel::profile
