#include "modules/probe_costs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/ticks.h"
#include "log/properties.h"

namespace oriel::modules {
namespace {

constexpr int kTries = 5;
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

template <typename Measure>
double least_of(Measure measure_once) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < kTries; ++i) least = std::min(least, measure_once());
  return std::clamp(least, 0.0, kMost);
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
  costs.timed = least_of([&] { return probes.segment(true, no_code); });
  costs.reading = least_of([&] { return probes.segment(false, no_code); });
  const double slow = least_of([&] { return probes.segment(true, slow_code); });
  const double shadow = least_of([] { return plain(slow_code); }) - (slow - costs.timed);
  costs.hidden = std::clamp(kShareOfShadow * shadow, 0.0, costs.timed);
  if (probes.allocation) costs.allocation = least_of([&] { return probes.allocation(); });
  return costs;
}

ProbeCosts least(const ProbeCosts& a, const ProbeCosts& b) {
  if (a.reading == 0) return b;
  return {std::min(a.timed, b.timed), a.timed < b.timed ? a.hidden : b.hidden, std::min(a.reading, b.reading),
          std::min(a.allocation, b.allocation)};
}

std::vector<log::Counter> counters_of(const ProbeCosts& costs) {
  return {thousandths(log::counter::kProbesTimed, costs.timed), thousandths(log::counter::kProbesHidden, costs.hidden),
          thousandths(log::counter::kProbesReading, costs.reading),
          thousandths(log::counter::kProbesAllocation, costs.allocation)};
}

}  // namespace oriel::modules
