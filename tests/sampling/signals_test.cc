// What the program notices of the signals: nothing.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "sampling/collector.h"

namespace oriel::sampling::testing {
namespace {

constexpr int64_t kMs = 1'000'000;

TEST(Signals, DoNotInterruptReads) {
  Sampling sampling(ORIEL_SAMPLE_REAL, 1000);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  int sent = 0;
  std::thread writer([&] {
    // Until there were signals enough, in a minute at most.
    for (; sent < 20 || (sample_count() <= 100 && sent < 6000); sent++) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      ASSERT_EQ(write(ends[1], "x", 1), 1);
    }
    close(ends[1]);
  });
  int got = 0;
  char byte = 0;
  for (;;) {
    const ssize_t result = read(ends[0], &byte, 1);
    ASSERT_GE(result, 0) << strerror(errno);
    if (result == 0) break;
    got++;
  }
  writer.join();
  close(ends[0]);
  EXPECT_EQ(got, sent);
  EXPECT_GT(sample_count(), 100u);
}

TEST(Signals, LeaveErrnoAlone) {
  Sampling sampling(ORIEL_SAMPLE_REAL, 2000, true);
  const int64_t begin = wall_ns();
  while (wall_ns() < begin + 300 * kMs || (sample_count() <= 100 && wall_ns() < begin + 60'000 * kMs)) {
    errno = 4242;
    for (int i = 0; i < 20'000; i++) asm volatile("");
    ASSERT_EQ(errno, 4242);
  }
  EXPECT_GT(sample_count(), 100u);
}

// Returns the signals that have a handler.
sigset_t handled_signals() {
  sigset_t handled;
  sigemptyset(&handled);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL) sigaddset(&handled, signal);
  }
  return handled;
}

int find_sampling_signal() {
  const sigset_t handled = handled_signals();
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) {
    if (sigismember(&handled, signal)) return signal;
  }
  return 0;
}

TEST(Signals, FromOthersAreIgnored) {
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 100);
  const int signal = find_sampling_signal();
  ASSERT_NE(signal, 0);
  clear_samples();
  const int64_t before = thread_cpu_ns();
  sigval value{};
  for (const uintptr_t address : {uintptr_t{0}, uintptr_t{8}, UINTPTR_MAX, reinterpret_cast<uintptr_t>(&value)}) {
    value.sival_ptr = reinterpret_cast<void*>(address);
    ASSERT_EQ(sigqueue(getpid(), signal, value), 0);
  }
  raise(signal);
  // None but those that are due.
  EXPECT_LE(static_cast<int64_t>(total_periods()), 1 + (thread_cpu_ns() - before) / (10 * kMs));
}

std::atomic<int> foreign_calls{0};

TEST(Signals, OfTheProgramAreNotTaken) {
  { Sampling sampling(ORIEL_SAMPLE_PROCESS, 100); }
  const int ours = find_sampling_signal();
  ASSERT_NE(ours, 0);
  // The program takes the signal over: sampling moves on to another.
  struct sigaction theirs {};
  struct sigaction before {};
  theirs.sa_handler = [](int) { foreign_calls++; };
  ASSERT_EQ(sigaction(ours, &theirs, &before), 0);
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 250);
  ASSERT_EQ(sampling.error(), nullptr);
  EXPECT_TRUE(burn_until([] { return sample_count() > 10; }));
  EXPECT_EQ(foreign_calls, 0);
  raise(ours);
  EXPECT_EQ(foreign_calls, 1);
  ASSERT_EQ(sigaction(ours, &before, nullptr), 0);
}

TEST(Signals, FindTheWayFromAnAlternateStack) {
  if (kSignalsComeLate) GTEST_SKIP() << "not with ThreadSanitizer, which delays signals";
  static uintptr_t seen = 0;
  std::thread([] {
    static char memory[1 << 16];
    const stack_t alternate{memory, 0, sizeof(memory)};
    sigaltstack(&alternate, nullptr);
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = [](int) {
      burn_cpu(300 * kMs);
      burn_until([] { return sample_count() > 40; });
    };
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, &before);
    Sampling sampling(ORIEL_SAMPLE_PROCESS, 500, true);
    raise(SIGUSR1);
    sigaction(SIGUSR1, &before, nullptr);
    for (size_t i = 0; i < sample_count(); i++) seen += !sample_at(i).truncated;
    const stack_t none{nullptr, SS_DISABLE, 0};
    sigaltstack(&none, nullptr);
  }).join();
  ASSERT_GT(sample_count(), 40u);
  EXPECT_GE(seen, sample_count() * 80 / 100);  // the rest: the thread's own begin and end
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

TEST(Signals, StayWithTheParentOfAFork) {
  Sampling sampling(ORIEL_SAMPLE_REAL, 1000);
  for (int i = 0; i < 30; i++) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const size_t before = sample_count();
      burn_cpu(5 * kMs);
      _exit(sample_count() == before ? 0 : 1);
    }
    const int status = wait_for(child);
    ASSERT_TRUE(WIFEXITED(status)) << status;
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  for (int i = 0; i < 6000 && sample_count() <= 30; i++) usleep(10'000);
  EXPECT_GT(sample_count(), 30u);
}

TEST(Signals, CanBeTurnedOnAgainInAForkedChild) {
  if (kSignalsComeLate) GTEST_SKIP() << "not with ThreadSanitizer, which delays signals";
  Sampling sampling(ORIEL_SAMPLE_PROCESS, 250);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    clear_samples();
    if (configure(ORIEL_SAMPLE_PROCESS, 250, collect) != nullptr) _exit(2);
    const bool sampled = burn_until([] { return total_periods() > 30; });
    configure(ORIEL_SAMPLE_NONE, 0, nullptr);
    _exit(sampled ? 0 : 1);
  }
  const int status = wait_for(child);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// Programs that replace themselves while signals are under way.
TEST(Signals, DoNotKillWhatIsExeced) {
  if (kSignalsComeLate) GTEST_SKIP() << "not with ThreadSanitizer, which delays signals";
  for (const oriel_sample_mode mode : {ORIEL_SAMPLE_PROCESS, ORIEL_SAMPLE_REAL}) {
    for (int i = 0; i < 40; i++) {
      const pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        if (configure(mode, 10'000, collect) != nullptr) _exit(2);
        std::thread([] { burn_cpu(3 * kMs); }).detach();
        burn_cpu((1 + i % 4) * kMs / 2);
        execl("/bin/true", "true", nullptr);
        _exit(3);
      }
      const int status = wait_for(child);
      ASSERT_TRUE(WIFEXITED(status)) << "killed by " << WTERMSIG(status);
      EXPECT_EQ(WEXITSTATUS(status), 0);
    }
  }
}

TEST(Signals, SurviveAThousandChangesOfMode) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([&stop] {
      while (!stop) burn_cpu(kMs);
    });
  }
  clear_samples(true);
  const oriel_sample_mode modes[] = {ORIEL_SAMPLE_PROCESS, ORIEL_SAMPLE_REAL, ORIEL_SAMPLE_NONE};
  for (int i = 0; i < 1000; i++) ASSERT_EQ(configure_patiently(modes[i % 3], i % 2 ? 100 : 5000, collect), nullptr);
  ASSERT_EQ(configure_patiently(ORIEL_SAMPLE_NONE, 0, nullptr), nullptr);
  const size_t after = sample_count();
  usleep(20'000);
  EXPECT_EQ(sample_count(), after);
  stop = true;
  for (auto& thread : threads) thread.join();
}

TEST(Signals, StopAtShutDown) {
  ASSERT_EQ(configure_patiently(ORIEL_SAMPLE_PROCESS, 1000, collect), nullptr);
  burn_cpu(50 * kMs);
  shut_down();
  clear_samples();
  burn_cpu(100 * kMs);
  EXPECT_EQ(sample_count(), 0u);
}

TEST(Signals, NeedASensibleRate) {
  EXPECT_NE(configure(ORIEL_SAMPLE_PROCESS, 0, collect), nullptr);
  EXPECT_NE(configure(ORIEL_SAMPLE_PROCESS, 10'001, collect), nullptr);
  EXPECT_NE(configure(ORIEL_SAMPLE_REAL, 100, nullptr), nullptr);
}

}  // namespace
}  // namespace oriel::sampling::testing
