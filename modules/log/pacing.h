// The pace of a log that has a budget: what was spent, once a second, decides the pace of the next one.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "budget.h"
#include "spending.h"

namespace oriel::log_module {

inline constexpr uint32_t kFullPace = 1000;  // thousandths of what is usual

// For the log's writer.
class Pacing {
 public:
  // To be called in each round, with the budget in millionths; 0: there is none, and nothing is counted. True at a step
  // that finds that even the slowest pace takes too much.
  bool keep_to(uint32_t limit);
  uint32_t pace() const { return budget_ ? budget_->pace() : kFullPace; }

  // Once no log paces any more. Any thread.
  static void end();

 private:
  void begin(uint32_t limit);

  std::optional<Budget> budget_;
  Spending spending_;
  std::chrono::steady_clock::time_point due_;
};

}  // namespace oriel::log_module
