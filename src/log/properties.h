// Named data in a log: properties of the run, the profiler's own counters, and reasons for losses.
#pragma once

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

// The engine's come from oriel_lost_reason_name.
namespace lost {
#define ORIEL_LOST(symbol, name, what, words)
#define ORIEL_LOST_IN_LOG(symbol, name, what, words) inline constexpr char symbol[] = name;
#include "oriel/lost.def"
#undef ORIEL_LOST
#undef ORIEL_LOST_IN_LOG
}  // namespace lost

}  // namespace oriel::log
