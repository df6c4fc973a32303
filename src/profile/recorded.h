// What a run was asked to record, from its log's intro, and how much CPU time it took. An empty list means "did not
// happen" only if it was recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// The property's value; nullptr if there is none.
const std::string* property(const log::Intro& intro, std::string_view name);
// The values that a property had: the intro's, then those that later changes of options gave it.
std::vector<std::string> property_values(const Profile& profile, std::string_view name);
// The number at the start of a property's value; 0 if there is none.
uint64_t number_property(const log::Intro& intro, std::string_view name);

// The log's counter of that name; 0 if it has none.
uint64_t counter_of(const Profile& profile, std::string_view name);

// Whether the program ran on Mono.
bool is_of_mono(const Profile& profile);

// Nanoseconds per clock tick, guessed from the kind of clock: for logs that end before any time has passed.
double fallback_rate(const log::Intro& intro);

// Of a log that was made of another tool's file, which kind that was, as a person calls it: "a .nettrace file"; "" of
// other logs.
std::string imported_from(const Profile& profile);

// Whether it is a log of the callgraph module, which holds only counted calls.
bool is_call_graph(const Profile& profile);

// Whether it is a log of the coverage module, which holds only what ran, and no times.
bool is_coverage(const Profile& profile);

// Version 1 of the format does not tell what was recorded, only what there was.
bool is_version1(const Profile& profile);

// Whether events of a group ("gc", "exceptions", "threads", … as in --module log:events=) were recorded. True for a log
// that does not say; false for a call graph, coverage or another tool's file. Of version 1: whether there are any.
bool has_events(const Profile& profile, std::string_view group);

// Whether samples, waits, calls and allocations were recorded, even if there are none.
bool is_sampled(const Profile& profile);
bool has_waits(const Profile& profile);
bool has_calls(const Profile& profile);
bool has_allocations(const Profile& profile);

// Whether allocations were sampled at fixed steps of about 100 KiB (.NET 8 and 9) and not at random.
bool samples_allocations_in_turn(const Profile& profile);

// Why the log has none: "no calls in this log: …". `option` is the option of `oriel run` that records calls. Patterns
// are copied from the log unchanged, with any control characters.
std::string why_no_calls(const Profile& profile, std::string_view option);
std::string why_no_allocations(const Profile& profile);
std::string why_nothing_sampled(const Profile& profile);

// Of a flight recorder's log: how many of the last seconds it was to hold; 0 for other logs.
uint64_t recorder_seconds(const Profile& profile);

// How long the program had run when a log began that did not begin with it, in milliseconds; 0 for other logs.
uint64_t began_late_ms(const Profile& profile);

// A log that began with the process counts all that it used, from its start on; one that began later, because Oriel was
// attached, only what was used since.
struct CpuTime {
  uint64_t user_us = 0;  // of the process, including Oriel's threads
  uint64_t system_us = 0;
  uint64_t oriel_us = 0;   // of Oriel's own threads, the log's writer and the engine's; 0 if not logged
  uint64_t before_us = 0;  // of this, used by the process before the log began

  uint64_t program_us() const { return user_us + system_us - oriel_us; }
};

// nullopt if the log does not say.
std::optional<CpuTime> cpu_time(const Profile& profile);

// How long any of the processes was recorded: without the time between runs, where logs of several were merged.
int64_t recorded_ns(const Profile& profile);
// The same within the filter's times: what the filtered rows are a part of.
int64_t kept_ns(const Profile& profile);

// Average number of busy processors since the log began. nullopt if not known: where a log ends too early, the figure
// would exceed the machine's processors.
std::optional<double> cores_busy(const Profile& profile);
// Whether the log's end is so long after the last that it tells of processor time that this is no answer for the whole:
// the program was killed.
bool tells_early_cpu_time(const Profile& profile);

}  // namespace oriel::profile
