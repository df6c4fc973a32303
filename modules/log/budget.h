// Keeps the CPU time that Oriel takes within a share of the program's, by the pace at which samples are taken.
//
// Pure: told once an interval what was used, it says how to go on. What it counts against is the program's CPU time,
// but at least one processor's: of a program that does little, samples would otherwise be taken for no one's benefit.
#pragma once

#include <cstdint>

namespace oriel::log_module {

// CPU time in an interval, in nanoseconds.
struct Spent {
  uint64_t passed = 0;   // time
  uint64_t program = 0;  // of the program, without Oriel
  uint64_t oriel = 0;
};

class Budget {
 public:
  explicit Budget(uint32_t limit) : limit_(limit) {}  // millionths

  void take(const Spent& spent);

  uint32_t limit() const { return limit_; }
  // What was taken lately, millionths.
  uint32_t used() const { return used_; }
  // Thousandths of the rate that was asked for.
  uint32_t pace() const { return static_cast<uint32_t>(pace_ + 0.5); }
  // Even the slowest pace has taken too much for a while.
  bool is_hopeless() const { return over_at_slowest_ >= kHopeless; }

 private:
  static constexpr double kFullPace = 1000, kSlowestPace = 10;
  static constexpr int kCalm = 3, kHopeless = 10;  // intervals

  void change_pace(double factor);

  const uint32_t limit_;
  uint32_t used_ = 0;
  double pace_ = kFullPace;
  double oriel_ = 0, counted_ = 0;  // sums, in which older intervals weigh less and less
  int calm_ = 0, over_at_slowest_ = 0;
};

}  // namespace oriel::log_module
