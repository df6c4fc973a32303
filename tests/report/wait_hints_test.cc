// Hints about waiting threads.
#include "report/hints/wait_hints.h"

#include <gmock/gmock.h>

#include "report/waiting/sampled_locks.h"

namespace oriel::report {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMs = 1'000'000;

class StuckHint : public ::testing::Test {
 protected:
  StuckHint() {
    profile_.functions = {{},
                          {"Bank.First(object, object)", "", "Bank.dll", true},
                          {"Bank.Second(object, object)", "", "Bank.dll", true},
                          {"System.Threading.Monitor.Enter(object)", "", "System.Private.CoreLib.dll", true}};
    profile_.nodes = {{}, {0, 1, false}, {1, 3, false}, {0, 2, false}, {3, 3, false}};
    profile_.threads.resize(2);
    profile_.sampling_mode = "process";
    profile_.sampling_hz = 1000;
    profile_.wall_ns = 3000 * kMs;
  }
  static constexpr uint32_t kFirst = 2, kSecond = 4;  // nodes

  void wait(uint32_t thread, int64_t from_ms, int64_t to_ms, uint32_t node) {
    profile_.waits.push_back({to_ms * kMs, thread, node, static_cast<uint64_t>(to_ms - from_ms)});
  }
  std::vector<Hint> hints() const {
    std::vector<Hint> all;
    add_wait_hints(profile_, all);
    return all;
  }

  profile::Profile profile_;
};

TEST_F(StuckHint, TellsOfThreadsThatNeverGetALock) {
  profile_.samples.push_back({100 * kMs, 0, 1, 1});
  wait(0, 100, 1000, kFirst);
  wait(0, 1000, 2900, kFirst);
  wait(1, 100, 2900, kSecond);
  const std::vector<Hint> all = hints();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].key, "stuck");
  EXPECT_THAT(all[0].text, HasSubstr("2 threads were seen only waiting for locks until the log ended: in "));
  EXPECT_THAT(all[0].text, HasSubstr("Bank.First(object, object)"));
  EXPECT_THAT(all[0].text, HasSubstr("Bank.Second(object, object)"));
}

TEST_F(StuckHint, IsNoneOfThreadsThatWaitAgainAndAgain) {
  for (int64_t ms = 100; ms < 2900; ms += 100) {
    wait(0, ms, ms + 90, kFirst);
    profile_.samples.push_back({(ms + 95) * kMs, 0, 1, 1});
    wait(1, ms, ms + 90, kSecond);
    profile_.samples.push_back({(ms + 95) * kMs, 1, 3, 1});
  }
  for (const Hint& hint : hints()) EXPECT_NE(hint.key, "stuck");
}

TEST_F(StuckHint, IsNoneOfWaitsThatEnded) {
  wait(0, 100, 2000, kFirst);
  wait(1, 100, 2000, kSecond);
  for (const Hint& hint : hints()) EXPECT_NE(hint.key, "stuck");
}

TEST_F(StuckHint, IsNoneOfThreadsThatGotLocksForMoments) {
  wait(0, 100, 2900, kFirst);
  wait(1, 100, 2900, kSecond);
  for (const uint32_t thread : {0u, 1u}) {
    profile_.lock_waits.push_back({.end_ns = 2800 * kMs, .ns = 50 * kMs, .lock = 1, .thread = thread, .node = kFirst});
  }
  for (const Hint& hint : hints()) EXPECT_NE(hint.key, "stuck");
}

TEST_F(StuckHint, IsNoneOfAPartOfTheLog) {
  wait(0, 100, 2900, kFirst);
  wait(1, 100, 2900, kSecond);
  ASSERT_EQ(hints()[0].key, "stuck");
  profile_.filter.method = "Bank";
  for (const Hint& hint : hints()) EXPECT_NE(hint.key, "stuck");
}

class WaitHints : public ::testing::Test {
 protected:
  WaitHints() {
    profile_.functions = {{},
                          {"Shop.Mail.Send()", "", "Shop.dll", true},
                          {"System.Threading.Tasks.Task.Wait()", "", "System.Private.CoreLib.dll", true},
                          {"System.Threading.Lock.Enter()", "", "System.Private.CoreLib.dll", true}};
    profile_.nodes = {{}, {0, 1, false}, {1, 2, false}, {1, 3, false}};
    profile_.sampling_mode = "process";
    profile_.sampling_hz = 1000;
    profile_.wall_ns = 1000 * kMs;
    profile_.intro.properties = {{"cores", "2"}};
  }
  static constexpr uint32_t kTask = 2, kLock = 3;  // nodes

  void live(const char* name, int64_t from_ms, int64_t to_ms) {
    profile::Thread thread;
    thread.name = name;
    thread.first_ns = from_ms * kMs;
    thread.last_ns = to_ms * kMs;
    profile_.threads.push_back(thread);
  }
  // In looks of 50 ms.
  void wait(uint32_t thread, int64_t from_ms, int64_t to_ms, uint32_t node) {
    for (int64_t ms = from_ms + 50; ms <= to_ms; ms += 50) profile_.waits.push_back({ms * kMs, thread, node, 50});
  }
  std::vector<Hint> hints() const {
    std::vector<Hint> all;
    add_wait_hints(profile_, all);
    return all;
  }

  profile::Profile profile_;
};

TEST_F(WaitHints, OfThePoolTellHowManyThreadsItHadAtATime) {
  for (uint32_t i = 0; i < 5; ++i) {
    live(".NET TP Worker", 0, 1000);
    wait(i, 0, 400, kTask);
  }
  live(".NET TP Worker", 0, 100);
  live(".NET TP Worker", 200, 300);
  ASSERT_EQ(hints().size(), 1u);
  EXPECT_EQ(hints()[0].key, "pool-blocked");
  EXPECT_THAT(hints()[0].text, HasSubstr("; the pool had up to 6 threads at a time. "));
}

TEST_F(WaitHints, AreNoneOfAPoolWhoseThreadsComeOneAfterAnother) {
  for (int64_t i = 0; i < 6; ++i) {
    live(".NET TP Worker", i * 150, i * 150 + 100);
    wait(static_cast<uint32_t>(i), i * 150, i * 150 + 100, kTask);
  }
  EXPECT_THAT(hints(), ::testing::IsEmpty());
}

TEST_F(WaitHints, AreNoneOfShortWaitsInAShortRun) {
  profile_.wall_ns = 300 * kMs;
  live("main", 0, 300);
  wait(0, 0, 150, kLock);
  EXPECT_THAT(hints(), ::testing::IsEmpty());
  wait(0, 150, 250, kLock);
  ASSERT_EQ(hints().size(), 1u);
  EXPECT_EQ(hints()[0].key, "lock");
}

TEST_F(WaitHints, AreNoneOfOneLook) {
  live("main", 0, 1000);
  profile_.waits.push_back({900 * kMs, 0, kLock, 300});
  EXPECT_THAT(hints(), ::testing::IsEmpty());
}

TEST_F(WaitHints, AreNoneOfFinalizersInAShortRun) {
  profile_.wall_ns = 20 * kMs;
  live(".NET Finalizer", 0, 20);
  for (int64_t ms = 10; ms < 18; ++ms) profile_.samples.push_back({ms * kMs, 0, 1, 1});
  EXPECT_THAT(hints(), ::testing::IsEmpty());
  profile_.wall_ns = 600 * kMs;
  for (int64_t ms = 20; ms < 320; ++ms) profile_.samples.push_back({ms * kMs, 0, 1, 1});
  ASSERT_EQ(hints().size(), 1u);
  EXPECT_EQ(hints()[0].key, "finalizers");
}

// Two nodes of one line, each with a thread of its own.
TEST_F(WaitHints, OfOneLineAreOfAllItsThreads) {
  profile_.nodes.push_back({1, 3, false});
  profile_.functions.push_back({"System.Threading.Lock.EnterScope()", "", "System.Private.CoreLib.dll", true});
  profile_.nodes.push_back({1, 4, false});
  live("one", 0, 1000);
  live("two", 0, 1000);
  wait(0, 0, 300, kLock);
  wait(1, 0, 300, static_cast<uint32_t>(profile_.nodes.size() - 1));
  const std::vector<SampledLock> locks = sampled_locks(profile_, Options());
  ASSERT_EQ(locks.size(), 1u);
  EXPECT_EQ(locks[0].threads.size(), 2u);
}

TEST(LockName, AVariableIsToldAsOne) {
  const auto text = [](const char* name) { return LockName{name, {}, {}, false, 0, {}}.text(); };
  EXPECT_EQ(text("it"), "in the variable it");
  EXPECT_EQ(text("this"), "this");
  EXPECT_EQ(text("Shop.Till._gate"), "Shop.Till._gate");
  EXPECT_EQ(text("typeof(Till)"), "typeof(Till)");
  EXPECT_EQ(lock_text("object", {"gate", {}, {}, false, 0, {}}), "the lock in the variable gate");
}

}  // namespace
}  // namespace oriel::report
