// Segments: the time between two successive probes of a thread is a segment of one method's own code. They separate a
// method's time from the probes' overhead.
//
// Two clock readings around a short piece of code do not give its duration. A reading costs about 10 ns, and the
// processor overlaps the code, the probe and the reading: code of 1 ns and of 16 ns give the same difference, code of
// 30 ns one of 24. So a few segments, chosen at random, are timed separately: the processor completes everything before
// the clock is read. The cost of that is constant and is measured in the process (probe_costs.h), so that their average
// is that of the method's short segments. Long segments need no such care.
//
// A thread's wait always lies in a long segment. So only at the end of one, the thread's CPU-time clock is read:
// elapsed time since the last reading without CPU time was waiting.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "base/ticks.h"

namespace oriel::modules {

// A segment of more ticks is long. Readers of logs know the number (docs/FORMAT.md).
inline constexpr uint64_t kLongSegment = 4096;
// After more ticks, 15 to 65 microseconds, the waiting time is read: that takes a third of a microsecond.
inline constexpr uint64_t kMayHaveWaited = 65'536;

// Chooses the segments of a thread to time: at random, rarely enough to cost nothing, and not in step with the program.
// Not thread-safe: one per thread.
class TimedSegments {
 public:
  // One in 260, or, if logging each event costs more, one in 516.
  enum class Often : unsigned { kUsual = 511, kSeldom = 1023 };
  explicit TimedSegments(uint64_t seed, Often often = Often::kUsual)
      : mask_(static_cast<unsigned>(often)), random_(seed | 1) {}

  // The distance to the next one: 2 to 513, or 1025.
  unsigned next() {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return 2 + (static_cast<unsigned>(random_ >> 40) & mask_);
  }
  // From now on it is always 2: to measure the cost of timing.
  void all() { mask_ = 0; }

 private:
  unsigned mask_;
  uint64_t random_;
};

// Times the chosen segments of a thread. Not thread-safe: one per thread.
class SegmentTimer {
 public:
  explicit SegmentTimer(uint64_t seed) : chosen_(seed) {}

  // Call once at each event. If true, call the next two around the event.
  bool is_due() { return --to_go_ < 2; }
  // Before anything else of the event: the ticks of the segment that ends here, 0 if it is not timed.
  uint64_t end() {
    if (to_go_ != 0) return 0;
    const uint64_t spent = serialized_ticks() - begun_;
    to_go_ = chosen_.next();
    return spent;
  }
  // After everything else of the event.
  void begin() {
    if (to_go_ == 1) begun_ = serialized_ticks();
  }
  // Times every other segment from the next event on, which starts one.
  void time_all() {
    chosen_.all();
    to_go_ = 2;
  }

 private:
  TimedSegments chosen_;
  unsigned to_go_ = 20;
  uint64_t begun_ = 0;
};

// The ticks for which the calling thread runs from here on, without those without a processor. Three system calls.
class RunTicks {
 public:
  uint64_t passed() const {
    const uint64_t all = ticks() - ticks_;
    const uint64_t passed = clock_monotonic_ns() - real_, ran = clock_thread_cpu_ns() - cpu_;
    if (ran >= passed) return all;
    return static_cast<uint64_t>(static_cast<double>(all) * (static_cast<double>(ran) / static_cast<double>(passed)));
  }

 private:
  // Ticks are read innermost: threads mostly lose their processor in system calls.
  uint64_t cpu_ = clock_thread_cpu_ns(), real_ = clock_monotonic_ns(), ticks_ = ticks();
};

// The waiting time of one thread from here on. One per thread.
class WaitClock {
 public:
  WaitClock() { waited(0); }
  // At the end of a segment of `spent` ticks: nanoseconds without a processor since the last call, at most as many as
  // the segment has. Two system calls.
  uint64_t waited(uint64_t spent) {
    const uint64_t now = ticks(), real = clock_monotonic_ns(), cpu = clock_thread_cpu_ns();
    uint64_t result = 0;
    if (ticks_ != 0 && now > ticks_ && real > real_) {
      const uint64_t passed = real - real_, used = cpu - cpu_;
      const double share = std::min(1.0, static_cast<double>(spent) / static_cast<double>(now - ticks_));
      const auto most = static_cast<uint64_t>(share * static_cast<double>(passed));
      result = used < passed ? std::min(passed - used, most) : 0;
    }
    ticks_ = now;
    real_ = real;
    cpu_ = cpu;
    return result;
  }

 private:
  uint64_t ticks_ = 0, real_ = 0, cpu_ = 0;
};

}  // namespace oriel::modules
