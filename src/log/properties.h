// Named data in a log: properties of the run, the profiler's own counters, and reasons for losses.
#pragma once

#include <string_view>

namespace oriel::log {

namespace property {
#define ORIEL_PROPERTY(symbol, name, doc) inline constexpr char k##symbol[] = name;
#define ORIEL_COUNTER(symbol, name, doc)
#include "log/properties.def"
}  // namespace property

namespace counter {
#define ORIEL_PROPERTY(symbol, name, doc)
#define ORIEL_COUNTER(symbol, name, doc) inline constexpr char k##symbol[] = name;
#include "log/properties.def"
}  // namespace counter

// Whether a counter begins anew in each file of a process's log, and in each segment of a recorder's file.
constexpr bool is_of_file(std::string_view name) {
  return name == counter::kOwnCpu || name == counter::kReadyNs || name == counter::kCpuPeriods ||
         name == counter::kCpuThrottled || name == counter::kCpuThrottledNs || name == counter::kCpuStolenNs;
}

// The engine's come from oriel_lost_reason_name.
namespace lost {
#define ORIEL_LOST(symbol, name, what, words)
#define ORIEL_LOST_IN_LOG(symbol, name, what, words) inline constexpr char symbol[] = name;
#include "oriel/lost.def"
#undef ORIEL_LOST
#undef ORIEL_LOST_IN_LOG
}  // namespace lost

}  // namespace oriel::log
