// What the garbage collector was doing when: its phases, from what the runtime tells of their times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace oriel::profile {

struct Profile;

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

// A time in which the collector was in a phase: of a pause, which these fill without gaps, or beside the program.
struct GcStretch {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  GcPhase phase = GcPhase::kOther;
  uint32_t process = 0;  // index into Profile::processes
  // Of one thread of those that mark at a time, an index into Profile::threads: goes before what is said of all.
  static constexpr uint32_t kAllThreads = UINT32_MAX;
  uint32_t thread = kAllThreads;
};

// Which phase the collector was in, from Profile::gc_stretches.
class GcPhaseFinder {
 public:
  explicit GcPhaseFinder(const Profile& profile);

  bool empty() const { return pauses_.empty() && background_.empty(); }
  // The phase that a thread's work for the collector at `ns` belongs to; nullptr if the log does not tell.
  const GcPhase* at(int64_t ns, uint32_t thread) const;

 private:
  using Stretches = std::vector<GcStretch>;  // by start, apart
  const Profile& profile_;
  std::map<uint32_t, Stretches> of_thread_;
  std::map<uint32_t, Stretches> pauses_;      // by process
  std::map<uint32_t, Stretches> background_;  // likewise
};

}  // namespace oriel::profile
