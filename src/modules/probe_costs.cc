#include "modules/probe_costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/ticks.h"
#include "log/properties.h"

namespace oriel::modules {
namespace {

constexpr size_t kTries = 9;
// A wrong measurement must not subtract a program's own time: no clock reading takes longer.
constexpr double kMost = 1000;
// A probe around code that waits for its own results overlaps with it; around code that keeps the processor busy it
// does not. Real code is between the two.
constexpr double kShareOfShadow = 0.6;

__attribute__((noinline)) uint64_t no_code(uint64_t value) {
  asm volatile("" : "+r"(value));
  return value;
}

// About 16 ns: each step depends on the previous one.
__attribute__((noinline)) uint64_t slow_code(uint64_t value) {
  for (int i = 0; i < 15; ++i) value = value * 6364136223846793005u + 1442695040888963407u;
  return value;
}

double median_of(std::span<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

template <typename Measure>
double usual(Measure measure_once) {
  std::array<double, kTries> tries;
  std::ranges::generate(tries, measure_once);
  return std::clamp(median_of(tries), 0.0, kMost);
}

// The time of one call in a sequence of such calls, without probes.
double plain(uint64_t (*code)(uint64_t)) {
  uint64_t value = 1;
  const uint64_t begin = serialized_ticks();
  for (int i = 0; i < kCallsToMeasure; ++i) value = code(value);
  const uint64_t end = serialized_ticks();
  asm volatile("" : : "r"(value));
  return static_cast<double>(end - begin) / kCallsToMeasure;
}

// Calls as instrumented code makes them, through a cell.
struct Target {
  void (*code)(oriel_profiler*, oriel_method*, const void*);
  oriel_profiler* profiler;
};

inline void probe(const Target* target, oriel_method* method) {
  if (target != nullptr) target->code(target->profiler, method, nullptr);
}

log::Counter thousandths(const char* name, double ticks) {
  return {name, static_cast<uint64_t>(std::llround(ticks * 1000))};
}

}  // namespace

void call_with_probes(const CallProbes& probes, uint64_t (*code)(uint64_t)) {
  const Target entering{probes.enter, probes.profiler}, leaving{probes.leave, probes.profiler};
  const Target* volatile enter_cell = &entering;
  const Target* volatile leave_cell = &leaving;
  uint64_t value = 1;
  for (int i = 0; i < kCallsToMeasure; ++i) {
    probe(enter_cell, probes.method);
    value = code(value);
    probe(leave_cell, probes.method);
  }
  asm volatile("" : : "r"(value));
}

ProbeCosts measure(const ProbesToMeasure& probes) {
  ProbeCosts costs;
  costs.timed = usual([&] { return probes.segment(true, no_code); });
  costs.reading = usual([&] { return probes.segment(false, no_code); });
  const double slow = usual([&] { return probes.segment(true, slow_code); });
  const double shadow = usual([] { return plain(slow_code); }) - (slow - costs.timed);
  costs.hidden = std::clamp(kShareOfShadow * shadow, 0.0, costs.timed);
  if (probes.allocation) costs.allocation = usual([&] { return probes.allocation(); });
  return costs;
}

void TypicalCosts::add(const ProbeCosts& measured) {
  if (measured.reading == 0) return;
  if (last_.size() < kMost) {
    last_.push_back(measured);
  } else {
    last_[added_ % kMost] = measured;
  }
  ++added_;
}

ProbeCosts TypicalCosts::typical() const {
  if (last_.empty()) return {};
  const auto median = [this](double ProbeCosts::*cost) {
    std::vector<double> values;
    for (const ProbeCosts& costs : last_)
      if (costs.*cost > 0) values.push_back(costs.*cost);  // 0: nothing of that kind was measured
    return values.empty() ? 0 : median_of(values);
  };
  return {median(&ProbeCosts::timed), median(&ProbeCosts::hidden), median(&ProbeCosts::reading),
          median(&ProbeCosts::allocation)};
}

std::vector<log::Counter> counters_of(const ProbeCosts& costs) {
  return {thousandths(log::counter::kProbesTimed, costs.timed), thousandths(log::counter::kProbesHidden, costs.hidden),
          thousandths(log::counter::kProbesReading, costs.reading),
          thousandths(log::counter::kProbesAllocation, costs.allocation)};
}

}  // namespace oriel::modules
