// What is lost where a thread can have no timer or no slot: its CPU time, in periods.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "base/process/thread_id.h"
#include "sampling/collector.h"
#include "sampling/signal/slots.h"
#include "sampling/signal/state.h"

namespace oriel::sampling::testing {
namespace {

constexpr int64_t kMs = 1'000'000;

uint32_t own_id() { return thread_id(); }

uint64_t lost_by(oriel_lost_reason reason) {
  uint64_t counts[ORIEL_LOST_REASONS];
  lost(counts);
  return counts[reason];
}

// The system gives no timers: each takes one of the signals that may be pending.
class NoTimers {
 public:
  NoTimers() {
    getrlimit(RLIMIT_SIGPENDING, &before_);
    const rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_SIGPENDING, &none);
  }
  ~NoTimers() { setrlimit(RLIMIT_SIGPENDING, &before_); }
  NoTimers(const NoTimers&) = delete;
  NoTimers& operator=(const NoTimers&) = delete;

 private:
  rlimit before_{};
};

// Keeps a thread of its own busy until what it used is counted as lost, to within two periods. Whether that came about.
bool burns_as_lost(uint32_t hz) {
  bool right = false;
  std::thread([&] {
    const uint64_t before = lost_by(ORIEL_LOST_TIMER_FAILED);
    burn_cpu(400 * kMs);
    right = burn_until([&] {
      const auto used = static_cast<double>(thread_cpu_ns()) * hz / 1e9;
      const auto lost = static_cast<double>(lost_by(ORIEL_LOST_TIMER_FAILED) - before);
      return lost <= used + 2 && lost >= used - 2;
    });
  }).join();
  return right;
}

TEST(Lost, WithoutTimersIsTheTimeThatThreadsUse) {
  for (const uint32_t hz : {250u, 100u}) {
    const NoTimers no_timers;
    Sampling sampling(ORIEL_SAMPLE_PROCESS, hz);
    EXPECT_TRUE(burns_as_lost(hz)) << hz << " Hz";
    EXPECT_EQ(sample_count(), 0u);
  }
}

TEST(Lost, WithoutTimersIsNothingOfThreadsThatWait) {
  const NoTimers no_timers;
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 1000);
  const uint64_t before = lost_by(ORIEL_LOST_TIMER_FAILED);
  std::thread([] { usleep(500'000); }).join();
  EXPECT_LT(lost_by(ORIEL_LOST_TIMER_FAILED) - before, 100u);
}

TEST(Lost, EndsOnceTheSystemGivesATimer) {
  if (kSignalsComeLate) GTEST_SKIP() << "not with ThreadSanitizer, which delays signals";
  auto no_timers = std::make_unique<NoTimers>();
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 250);
  std::thread([&] {
    EXPECT_TRUE(burn_until([] { return lost_by(ORIEL_LOST_TIMER_FAILED) > 0 && is_found(own_id()); }));
    no_timers.reset();
    EXPECT_TRUE(burn_until([] { return periods_of(own_id()) >= 20; }));
  }).join();
}

TEST(Lost, WithoutSlotsIsTheTimeThatThreadsUse) {
  state.period_ns = 10 * kMs;
  forget_slotless();
  const uint64_t before = lost_by(ORIEL_LOST_THREAD_LIMIT);
  const int64_t begin = thread_cpu_ns();
  for (int scan = 0; scan < 10; scan++) {
    burn_cpu(25 * kMs);
    count_without_slot(own_id(), begin);
    end_scan_of_slotless();
  }
  const int64_t used = thread_cpu_ns() - begin;
  EXPECT_NEAR(static_cast<double>(lost_by(ORIEL_LOST_THREAD_LIMIT) - before), static_cast<double>(used) / (10 * kMs),
              1.01);
  const int64_t since = uncounted_since(own_id(), thread_cpu_ns());
  EXPECT_GE(since, begin);
  EXPECT_LE(thread_cpu_ns() - since, 11 * kMs);
  end_scan_of_slotless();
  EXPECT_EQ(uncounted_since(own_id(), thread_cpu_ns()), -1) << "it was met in no scan since";
}

TEST(Lost, WithoutSlotsIsNothingOfTools) {
  state.period_ns = 10 * kMs;
  forget_slotless();
  const uint64_t before = lost_by(ORIEL_LOST_THREAD_LIMIT);
  std::thread([] {
    exclude_thread(own_id());
    burn_cpu(50 * kMs);
    count_without_slot(own_id(), 0);
  }).join();
  EXPECT_EQ(lost_by(ORIEL_LOST_THREAD_LIMIT), before);
}

}  // namespace
}  // namespace oriel::sampling::testing
