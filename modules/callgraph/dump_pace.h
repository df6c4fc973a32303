// How often the file is written: often enough that a program killed by a signal leaves recent data, and seldom enough
// to have no noticeable cost.
#pragma once

#include <algorithm>
#include <chrono>

namespace oriel::callgraph_module {

// Many programs end, or are stopped by hand, within a second.
inline constexpr std::chrono::milliseconds kFirstDump{50};
inline constexpr std::chrono::milliseconds kBetweenDumps{200};
inline constexpr int kDumpShare = 50;  // dumps take at most a 50th of one processor's time

// The pause after a dump that took `cost` of CPU time and followed a pause of `pause`.
inline std::chrono::milliseconds pause_after(std::chrono::milliseconds pause, std::chrono::nanoseconds cost) {
  const auto cheap = std::min(2 * pause, kBetweenDumps);
  return std::max(cheap, std::chrono::ceil<std::chrono::milliseconds>(kDumpShare * cost));
}

}  // namespace oriel::callgraph_module
