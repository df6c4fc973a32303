// A program's log whose every figure is known. Counters are nanoseconds; the log covers 100 ms.
//
//   main       23 samples (26 periods) under Shop.Program.Main: 10 in memcpy below Cart.AddAsync, 5 in AddAsync itself,
//              4 in Cart.Total below two Cart.Recurse, 3 of two periods in the inner Recurse, 1 in Main
//   worker 1   2 samples in libcoreclr whose callers are not known, 1 without any frame
//   worker 12  no samples
//
// Collections: 1 of generation 0 (paused 4 ms); 2 of generation 2, induced (2 ms); 3 of generation 0 during it (4 ms).
// A pause of 1 ms for ReJIT. Exceptions: 3 InvalidOperationException, two caught in AddAsync; 1 FileNotFoundException;
// 1 of a class that the log does not name, caught in a method that it does not name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "log/sink.h"
#include "profile/profile.h"

namespace oriel::testing {

inline constexpr uint64_t kStart = 1'000'000'000;
inline constexpr uint64_t kMs = 1'000'000;
inline constexpr uint64_t kStartUnixUs = 1'780'000'000'000'000;
inline constexpr uint64_t kPeriods = 29;

log::Intro shop_intro();
log::Mapping shop_mapping();
std::vector<log::StackNode> shop_nodes();
std::vector<log::Sample> main_samples();
std::vector<log::Sample> worker_samples();
log::ProcessUsage shop_usage();

// At that many milliseconds since the start, as a decoder delivers it.
ClockPair clock_at(uint64_t ms);
log::Event event_at(uint64_t ms, uint64_t thread, const char* name, std::initializer_list<uint64_t> values);

// Delivers the whole log except its end.
void tell_shop(log::EventSink& sink);
// The whole log as a profile.
profile::Profile shop_profile();

// The log as a file: names, stacks and samples in two flushes, with or without its end.
void write_shop_log(const std::string& path, bool with_end);

}  // namespace oriel::testing
