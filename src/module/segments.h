// Segments: the time from one probe of a thread to its next is a segment of one method's own code. They are what tells
// a method's time from the probes'.
//
// Two readings of the clock around a short piece of code do not tell how long it takes. A reading costs about 10 ns,
// and the processor works on the code, the probe and the clock at once: code of 1 and of 16 ns give the same
// difference, code of 30 ns one of 24. So a few segments, chosen by chance, are timed apart: the processor finishes all
// that was begun before the clock is read. What that costs is the same for each and is measured in the process
// (probe_costs.h), so that their average is that of the method's short segments. Long segments need no such care.
//
// A thread's wait is always within a long segment. So where one ends, and only there, the clock of the thread's
// processor time is read: what has passed since the last reading without using it was waited.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "base/ticks.h"

namespace oriel::modules {

// More ticks than these are a long segment. Readers of logs know the number (docs/FORMAT.md).
inline constexpr uint64_t kLongSegment = 4096;
// After more than these, 15 to 65 microseconds, it is asked how long the thread waited: that takes a third of one.
inline constexpr uint64_t kMayHaveWaited = 65'536;

// Which segments of a thread are timed: chosen by chance, far enough apart to cost nothing, and in no step with the
// program. Not thread-safe: a thread's own.
class TimedSegments {
 public:
  // One in 260, or, where logging each event costs more, one in 516.
  enum class Often : unsigned { kUsual = 511, kSeldom = 1023 };
  explicit TimedSegments(uint64_t seed, Often often = Often::kUsual)
      : mask_(static_cast<unsigned>(often)), random_(seed | 1) {}

  // The next one is the 2nd to 513th, or 1025th, from here.
  unsigned next() {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    return 2 + (static_cast<unsigned>(random_ >> 40) & mask_);
  }
  // From now on it is always the 2nd: to measure what timing costs.
  void all() { mask_ = 0; }

 private:
  unsigned mask_;
  uint64_t random_;
};

// Times the chosen segments of a thread that counts its events. Not thread-safe: a thread's own.
class SegmentTimer {
 public:
  explicit SegmentTimer(uint64_t seed) : chosen_(seed) {}

  // Once at each event. Where it is true, what follows surrounds the event.
  bool is_due() { return --to_go_ < 2; }
  // Before anything else of the event: the ticks of the segment that ends here, 0 if that is not timed.
  uint64_t end() {
    if (to_go_ != 0) return 0;
    const uint64_t spent = settled_ticks() - begun_;
    to_go_ = chosen_.next();
    return spent;
  }
  // Behind all else of it.
  void begin() {
    if (to_go_ == 1) begun_ = settled_ticks();
  }
  // Times every other segment from the next event on, which is the begin of one.
  void time_all() {
    chosen_.all();
    to_go_ = 2;
  }

 private:
  TimedSegments chosen_;
  unsigned to_go_ = 20;
  uint64_t begun_ = 0;
};

// The ticks for which the calling thread runs, from here on: not those in which it has no processor. Three system
// calls.
class RunTicks {
 public:
  uint64_t passed() const {
    const uint64_t all = ticks() - ticks_;
    const uint64_t passed = clock_monotonic_ns() - real_, ran = clock_thread_cpu_ns() - cpu_;
    if (ran >= passed) return all;
    return static_cast<uint64_t>(static_cast<double>(all) * (static_cast<double>(ran) / static_cast<double>(passed)));
  }

 private:
  // The ticks innermost: system calls are where a thread loses its processor most often.
  uint64_t cpu_ = clock_thread_cpu_ns(), real_ = clock_monotonic_ns(), ticks_ = ticks();
};

// The time that one thread waits, from here on. Its own.
class WaitClock {
 public:
  WaitClock() { waited(0); }
  // At the end of a segment of `spent` ticks: nanoseconds in which the thread had no processor since this was last
  // asked, at most as many as the segment has. Two system calls.
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
