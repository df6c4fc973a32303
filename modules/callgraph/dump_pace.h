// How often the file is written: often enough that a program that ends by a signal leaves what it did up to then, and
// seldom enough that nobody notices.
#pragma once

#include <algorithm>
#include <chrono>

namespace oriel::callgraph {

// Many programs are over, or stopped by hand, within a second.
inline constexpr std::chrono::milliseconds kFirstDump{50};
inline constexpr std::chrono::milliseconds kBetweenDumps{200};
inline constexpr int kDumpShare = 50;  // a dump takes a 50th of one processor's time at most

// How long to wait after a dump that took `cost` of CPU time and came after a pause of `pause`.
inline std::chrono::milliseconds pause_after(std::chrono::milliseconds pause, std::chrono::nanoseconds cost) {
  const auto cheap = std::min(2 * pause, kBetweenDumps);
  return std::max(cheap, std::chrono::ceil<std::chrono::milliseconds>(kDumpShare * cost));
}

}  // namespace oriel::callgraph
