// What a run was asked to record, as its log's intro tells (only where something was recorded does nothing of it mean
// that it did not happen), and what processor time it took.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "profile/profile.h"

namespace oriel::profile {

// A property's value, or nullptr.
const std::string* property(const log::Intro& intro, std::string_view name);
// The number that a property begins with; 0 if there is none.
uint64_t number_property(const log::Intro& intro, std::string_view name);

// What the log counted under that name, 0 where it does not tell.
uint64_t counter_of(const Profile& profile, std::string_view name);

// Nanoseconds a count, guessed from the kind of counter: for logs that end before any time has passed in them.
double fallback_rate(const log::Intro& intro);

// A log of the callgraph module, which holds counted calls and nothing else.
bool is_call_graph(const Profile& profile);

// Whether events of a group ("gc", "exceptions", "threads", … as in --module log:events=) were recorded. A log that
// does not tell is taken to have all, but a call graph has none.
bool has_events(const Profile& profile, std::string_view group);

// Whether samples, waits, calls and allocations were recorded, though there may be none.
bool is_sampled(const Profile& profile);
bool has_waits(const Profile& profile);
bool has_calls(const Profile& profile);
bool has_allocations(const Profile& profile);

// Whether sampled allocations are every hundredth kilobyte's, as .NET 8 and 9 tell them, and not chosen at random.
bool samples_allocations_in_turn(const Profile& profile);

// Why there is none, for a log without any: "no calls in this log: …". `option` is how to run the program so that there
// are calls. Patterns come from the log as they are, control characters and all.
std::string why_no_calls(const Profile& profile, std::string_view option);
std::string why_no_allocations(const Profile& profile);
std::string why_nothing_sampled(const Profile& profile);

struct CpuTime {
  uint64_t user_us = 0;  // of the process, Oriel's threads with it
  uint64_t system_us = 0;
  uint64_t oriel_us = 0;   // of Oriel's own threads: the log's writer, the engine's; 0 if the log does not say
  uint64_t before_us = 0;  // that the process had used when the log began

  uint64_t program_us() const { return user_us + system_us - oriel_us; }
};

// None if the log does not say.
std::optional<CpuTime> cpu_time(const Profile& profile);

// How many processors the program kept busy since the log began. None where that is not known: of a log that ends so
// early that its times do not tell, which would make it more than the machine has.
std::optional<double> cores_busy(const Profile& profile);

}  // namespace oriel::profile
