// Which phase the garbage collector was in when.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

enum class GcPhase : uint8_t {
  kStopping,         // waiting for the program's threads to stop
  kMarkStacks,       // marking from what methods hold that run
  kMarkHandles,      // from static fields, pinned objects, native code
  kMarkFinalizers,   // from objects that wait for their finalizer; finding more of these
  kMarkOlder,        // from objects of older generations
  kMarkOthers,       // from other roots, or it is not known from which
  kWeak,             // clearing weak references
  kPlan,             // which objects go where, and whether that is worth it
  kRelocate,         // changing references
  kCompact,          // moving objects
  kSweep,            // making lists of free memory
  kOther,            // in a pause, but none of these
  kCollecting,       // in a pause, after the threads stopped, where the log does not tell more
  kBackgroundMark,   // beside the program
  kBackgroundSweep,  // likewise
};
inline constexpr size_t kGcPhases = 15;
using GcPhaseTimes = std::array<int64_t, kGcPhases>;  // nanoseconds

constexpr bool is_beside_program(GcPhase phase) { return phase >= GcPhase::kBackgroundMark; }
// "marking from stacks"
const char* gc_phase_name(GcPhase phase);
// "mark-stacks"
const char* gc_phase_key(GcPhase phase);

struct GcStretch {
  static constexpr uint32_t kAllThreads = table::kNone;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  GcPhase phase = GcPhase::kOther;
  uint32_t process = 0;
  // Of one thread of those that mark at a time: goes before what is said of all.
  uint32_t thread = kAllThreads;

  static constexpr auto described() {
    using namespace table;
    return describe(
        Order::kByTime, Part::kWhole, field<Kind::kTime>("start", &GcStretch::start_ns, "when the phase began"),
        field<Kind::kEnd>("end", &GcStretch::end_ns, "when it ended"),
        derived<Kind::kWord>(
            "phase", [](const GcStretch& row) { return gc_phase_key(row.phase); }, "what the collector did"),
        field<Kind::kProcess>("process", &GcStretch::process, "whose collector it is"),
        field<Kind::kThread>("thread", &GcStretch::thread, "the collector's thread, where known"));
  }
};

}  // namespace oriel::profile
