#include "spending.h"

#include <algorithm>
#include <ctime>

#include "base/clock.h"
#include "oriel/oriel.h"
#include "recorder.h"

namespace oriel::log_module {
namespace {

uint64_t process_ns() {
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return 0;
  return static_cast<uint64_t>(used.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(used.tv_nsec);
}

// The clocks of threads and of the process are not read at one moment.
uint64_t since(uint64_t now, uint64_t before) { return now > before ? now - before : 0; }

}  // namespace

Spent Spending::take(const Recorder& recorder) {
  const Totals now{.time = clock_monotonic_ns(),
                   .process = process_ns(),
                   .threads = own_.count().count * 1000,
                   .elsewhere = oriel_sampling_time() + recorder.spent_ns.load(std::memory_order_relaxed)};
  const Totals before = last_;
  last_ = now;
  if (before.time == 0) return {};
  const uint64_t oriel = since(now.threads, before.threads) + since(now.elsewhere, before.elsewhere);
  return {.passed = since(now.time, before.time),
          .program = since(since(now.process, before.process), oriel),
          .oriel = oriel};
}

}  // namespace oriel::log_module
