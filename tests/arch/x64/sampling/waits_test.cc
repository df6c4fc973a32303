// Threads that wait: never signalled, and sampled all the same where they wait.
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sampling/cfi/frame_tables.h"
#include "sampling/collector.h"
#include "sampling/sampling.h"
#include "sampling/signal/proc.h"
#include "sampling/signal/slots.h"
#include "sampling/signal/state.h"
#include "sampling/walk/stack_walk.h"

namespace oriel::sampling::testing {
namespace {

constexpr int64_t kMs = 1'000'000;

#define ORIEL_OUT_OF_LINE __attribute__((noinline, noclone, used))

uint32_t own_id() { return static_cast<uint32_t>(gettid()); }

// Code without call-frame information that keeps a frame pointer, as a runtime's compiler makes it: calls its argument.
extern "C" void call_without_frame_information(void (*function)());
asm(R"(
  .text
  .globl call_without_frame_information
  .balign 256
call_without_frame_information:
  push %rbp
  mov %rsp, %rbp
  push %rbx
  sub $24, %rsp
  call *%rdi
  add $24, %rsp
  pop %rbx
  pop %rbp
  ret
)");

uint32_t futex_word = 0;
std::atomic<bool> may_end{false};
std::atomic<uint32_t> sleeper{0};
void (*wait_once)() = nullptr;

void sleep_long() {
  const timespec span{0, 200 * kMs};
  nanosleep(&span, nullptr);
}
void poll_long() { poll(nullptr, 0, 200); }
void wait_for_futex() {
  const timespec span{0, 200 * kMs};
  syscall(SYS_futex, &futex_word, FUTEX_WAIT_PRIVATE, 0, &span, nullptr, 0);
}

ORIEL_OUT_OF_LINE void wait_until_told() {
  sleeper = own_id();
  while (!may_end) wait_once();
  asm volatile("" ::: "memory");
}
ORIEL_OUT_OF_LINE __attribute__((optimize("omit-frame-pointer"))) void with_rsp(int depth, void (*work)()) {
  if (depth == 0) {
    work();
  } else {
    with_rsp(depth - 1, work);
  }
  asm volatile("" ::: "memory");
}
ORIEL_OUT_OF_LINE __attribute__((optimize("no-omit-frame-pointer"))) void with_rbp(int depth, void (*work)()) {
  if (depth == 0) {
    work();
  } else {
    with_rbp(depth - 1, work);
  }
  asm volatile("" ::: "memory");
}

// Where the function begins that has a return address, 0 where no library says.
uintptr_t function_of(uintptr_t return_address) {
  const FrameTable* table = find_frame_table(*frame_tables.load(), return_address - 1);
  size_t offset = 0;
  FrameEntry entry;
  if (!table || !find_frame_entry(*table, return_address - 1, offset) || !read_frame_entry(*table, offset, entry))
    return 0;
  return return_address <= entry.code_high ? entry.code_low : 0;
}

// How many frames of a walk return into the function.
size_t frames_in(const Walker& walker, size_t depth, uintptr_t function) {
  return static_cast<size_t>(std::count_if(walker.frames, walker.frames + depth,
                                           [function](uintptr_t frame) { return function_of(frame) == function; }));
}
template <typename Function>
uintptr_t address_of(Function* function) {
  return reinterpret_cast<uintptr_t>(function);
}

// Walks a thread that runs `body` until told to end, once it waits.
template <typename Check>
void walk_waiting_thread(void (*wait)(), void (*body)(), Check check) {
  refresh_frame_tables();
  wait_once = wait;
  may_end = false;
  sleeper = 0;
  std::thread thread(body);
  static Walker walker;
  Walk walk{0, WalkEnd::kBroken};
  bool walked = false;
  for (int i = 0; i < 3000 && !walked; i++) {
    usleep(1000);
    BlockedAt at;
    if (sleeper == 0) continue;
    const clockid_t clock = cpu_clock_of(sleeper);
    const int64_t before = read_clock_ns(clock);
    if (read_thread_state(sleeper, at) != ThreadState::kWaits) continue;
    walk = walk_blocked(walker, at);
    walked = read_clock_ns(clock) == before;
  }
  may_end = true;
  thread.join();
  ASSERT_TRUE(walked);
  check(walker, walk);
}

void (*const kWaits[])() = {sleep_long, poll_long, wait_for_futex};
class BlockedWalk : public ::testing::TestWithParam<size_t> {};

TEST_P(BlockedWalk, LeadsThroughFramesOfBothKinds) {
  const auto body = [] { with_rbp(7, [] { with_rsp(5, [] { with_rbp(3, wait_until_told); }); }); };
  walk_waiting_thread(kWaits[GetParam()], body, [](const Walker& walker, const Walk& walk) {
    EXPECT_EQ(walk.end, WalkEnd::kThreadStart);
    EXPECT_EQ(frames_in(walker, walk.depth, address_of(wait_until_told)), 1u);
    EXPECT_EQ(frames_in(walker, walk.depth, address_of(with_rbp)), 8u + 4u);
    EXPECT_EQ(frames_in(walker, walk.depth, address_of(with_rsp)), 6u);
  });
}

TEST_P(BlockedWalk, LeadsThroughCodeWithoutFrameInformation) {
  const auto body = [] {
    with_rsp(2, [] { call_without_frame_information([] { call_without_frame_information(wait_until_told); }); });
  };
  walk_waiting_thread(kWaits[GetParam()], body, [](const Walker& walker, const Walk& walk) {
    EXPECT_EQ(walk.end, WalkEnd::kThreadStart);
    const uintptr_t function = address_of(call_without_frame_information);
    size_t there = 0;
    for (size_t i = 0; i < walk.depth; i++) there += walker.frames[i] - function < 24;
    EXPECT_EQ(there, 2u);
    EXPECT_EQ(frames_in(walker, walk.depth, address_of(with_rsp)), 3u);
  });
}

INSTANTIATE_TEST_SUITE_P(Waits, BlockedWalk, ::testing::Range(size_t{0}, std::size(kWaits)));

// The thread has always just computed when it waits: whatever asks how much falls due then.
class NoSignal : public ::testing::TestWithParam<oriel_sample_mode> {};

TEST_P(NoSignal, EndsAWaitEarly) {
  Sampling sampling(GetParam(), 1000);
  ASSERT_EQ(sampling.error(), nullptr);
  int cut = 0;
  std::thread([&cut] {
    for (int i = 0; i < 150; i++) {
      burn_cpu(3 * kMs);
      const timespec span{0, 5 * kMs};
      cut += nanosleep(&span, nullptr) != 0;
      cut += poll(nullptr, 0, 1) != 0;
    }
  }).join();
  EXPECT_EQ(cut, 0);
  EXPECT_GT(sample_count(), 50u);
}

INSTANTIATE_TEST_SUITE_P(Modes, NoSignal,
                         ::testing::Values(ORIEL_SAMPLE_PROCESS, ORIEL_SAMPLE_REAL, ORIEL_SAMPLE_PROCESS_AND_WAITS));

// Running and waiting add up to the time that passed, and each has about its own.
TEST(Waits, AndWorkAddUpToTheTimeThatPassed) {
  constexpr uint32_t kHz = 250;
  Sampling sampling(ORIEL_SAMPLE_REAL, kHz, true);
  bool right = false;
  std::thread([&right] {
    burn_until([] { return is_found(own_id()); });
    const uint64_t periods_before = periods_of(own_id());
    const int64_t wall_before = wall_ns();
    for (int i = 0; i < 60; i++) {
      burn_cpu(3 * kMs);
      usleep(9000);
    }
    for (int i = 0; i < 300 && !right; i++) {
      usleep(100'000);
      const double passed = static_cast<double>(wall_ns() - wall_before) * kHz / 1e9;
      // What was not yet told when it was found, and what is not yet told now; looks come after 200 ms at the latest.
      right = std::abs(passed - static_cast<double>(periods_of(own_id()) - periods_before)) <= 0.2 * kHz;
    }
  }).join();
  EXPECT_TRUE(right);
}

// Seldom looks: running threads have the samples of their CPU time alone. The rest of the time is waits, but for the
// time that the thread was ready and waited for a processor, which a busy machine makes long.
TEST(Waits, BesideSamplesOfCpuTimeAddUpToTheTimeBlocked) {
  constexpr uint32_t kHz = 250;
  Sampling sampling(ORIEL_SAMPLE_PROCESS_AND_WAITS, kHz, true);
  bool waits_right = false, work_right = false;
  std::thread([&] {
    burn_until([] { return is_found(own_id()); });
    const uint64_t waits_before = waits_of(own_id());
    const int64_t wall_before = wall_ns(), cpu_before = thread_cpu_ns(), ready_before = read_run_delay_ns(own_id());
    for (int i = 0; i < 60; i++) {
      burn_cpu(3 * kMs);
      usleep(9000);
    }
    const auto periods = [](int64_t ns) { return static_cast<double>(ns) * kHz / 1e9; };
    for (int i = 0; i < 300 && !waits_right; i++) {
      usleep(100'000);
      const int64_t ran = thread_cpu_ns() - cpu_before, ready = read_run_delay_ns(own_id()) - ready_before;
      const int64_t waited = wall_ns() - wall_before - ran - ready;
      const uint64_t waits = waits_of(own_id()) - waits_before;
      // What was not yet told when it was found, and what is not yet told now; looks come after 200 ms at the latest.
      waits_right = std::abs(periods(waited) - static_cast<double>(waits)) <= 0.3 * kHz;
    }
    // From the thread's start on; the timer comes with the kernel's tick, after as much more work.
    for (int i = 0; i < 300 && !work_right; i++) {
      burn_cpu(kMs);
      const uint64_t work = periods_of(own_id()) - waits_of(own_id());
      work_right = std::abs(periods(thread_cpu_ns()) - static_cast<double>(work)) <= 2;
    }
  }).join();
  EXPECT_TRUE(waits_right);
  EXPECT_TRUE(work_right);
}

// A thread that sleeps: its samples have the whole way to the sleep, and stand for all the time.
TEST(Waits, AreToldWithTheirWholeStack) {
  Sampling sampling(ORIEL_SAMPLE_REAL, 250, true);
  wait_once = sleep_long;
  may_end = false;
  std::thread thread([] { with_rsp(3, [] { with_rbp(2, wait_until_told); }); });
  for (int i = 0; i < 600 && periods_of(sleeper) < 100; i++) usleep(100'000);
  may_end = true;
  thread.join();
  uint64_t whole = 0, all = 0;
  for (size_t i = 0; i < sample_count(); i++) {
    const Taken& one = sample_at(i);
    if (one.os_thread != sleeper) continue;
    all += one.periods;
    size_t in_waiter = 0;
    for (uint32_t f = 0; f < one.depth; f++) in_waiter += function_of(one.frames[f]) == address_of(wait_until_told);
    if (!one.truncated && in_waiter == 1) whole += one.periods;
  }
  EXPECT_GE(all, 100u);
  EXPECT_GE(whole, all * 9 / 10);
}

std::atomic<bool> walkers_end{false};

// The manager thread, found by its name; 0 if there is none.
uint32_t manager_tid() {
  TaskList tasks;
  while (const uint32_t tid = tasks.next()) {
    char name[32] = "";
    FILE* file = fopen(("/proc/self/task/" + std::to_string(tid) + "/comm").c_str(), "re");
    if (!file) continue;
    const bool found = fgets(name, sizeof(name), file) && strcmp(name, "oriel-sampling\n") == 0;
    fclose(file);
    if (found) return tid;
  }
  return 0;
}

// CPU time in ns of the manager thread; -1 if there is none.
int64_t manager_cpu_ns() {
  const uint32_t tid = manager_tid();
  return tid == 0 ? -1 : read_clock_ns(cpu_clock_of(tid));
}

// Whether the system lets this process have threads with the lowest real-time priority.
bool may_have_real_time() {
  bool may = false;
  std::thread([&may] {
    const sched_param lowest{sched_get_priority_min(SCHED_RR)};
    may = sched_setscheduler(0, SCHED_RR, &lowest) == 0;
  }).join();
  return may;
}

TEST(Waits, AreLookedAtInTimeWhereTheSystemAllowsIt) {
  const int allowed = may_have_real_time() ? SCHED_RR : SCHED_OTHER;
  for (const auto& [mode, policy] :
       {std::pair{ORIEL_SAMPLE_REAL, allowed}, std::pair{ORIEL_SAMPLE_PROCESS, SCHED_OTHER}}) {
    Sampling sampling(mode, 250);
    const uint32_t manager = manager_tid();
    ASSERT_NE(manager, 0u);
    EXPECT_EQ(sched_getscheduler(static_cast<pid_t>(manager)), policy);
  }
  EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  if (allowed != SCHED_RR) GTEST_SKIP() << "this system gives no real-time priority";
}

// Threads that wait now here, now there: each has to be walked at each look.
TEST(Waits, OfManyThreadsCostNoMoreThanTheirShare) {
  walkers_end = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 200; i++) {
    threads.emplace_back([] {
      while (!walkers_end) usleep(5000);
    });
  }
  {
    Sampling sampling(ORIEL_SAMPLE_REAL, 1000);
    usleep(200'000);
    const int64_t wall_before = wall_ns(), cpu_before = manager_cpu_ns();
    EXPECT_GE(cpu_before, 0);
    usleep(2'000'000);
    const int64_t used = manager_cpu_ns() - cpu_before, passed = wall_ns() - wall_before;
    RecordProperty("manager_percent", static_cast<int>(100 * used / passed));
    EXPECT_LT(used, passed / 8) << "of which looks may take 3 %, the search for new threads 2 %";
    EXPECT_GT(looks().rounds, 0u);
  }
  walkers_end = true;
  for (auto& thread : threads) thread.join();
}

TEST(Waits, ThreadsThatBlockTheSignalAreToldSo) {
  if (kSignalsComeLate) GTEST_SKIP() << "not with ThreadSanitizer, which keeps signals from being blocked";
  uint64_t before[ORIEL_LOST_REASONS], after[ORIEL_LOST_REASONS];
  lost(before);
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 250);
  std::thread([] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    burn_until([] {
      for (uint32_t i = 0; i < state.slots_used.load(); i++) {
        if (state.slots[i].tid.load() == own_id() && state.slots[i].blocks_signal.load()) return true;
      }
      return false;
    });
    thread_stopped(own_id());
  }).join();
  lost(after);
  EXPECT_GT(after[ORIEL_LOST_SIGNAL_BLOCKED], before[ORIEL_LOST_SIGNAL_BLOCKED]);
  EXPECT_EQ(after[ORIEL_LOST_THREAD_ENDED], before[ORIEL_LOST_THREAD_ENDED]);
}

}  // namespace
}  // namespace oriel::sampling::testing
