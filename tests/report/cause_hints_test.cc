// Causes that samples and waits of several threads show together, and similar programs without the causes.
#include "report/hints/cause_hints.h"

#include <gmock/gmock.h>

namespace oriel::report {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kMs = 1'000'000;

class CauseHints : public ::testing::Test {
 protected:
  CauseHints() {
    profile_.functions = {{},
                          own("Shop.Sum(int)"),
                          base("System.Threading.Tasks.Parallel.For(int, int)"),
                          base("System.Threading.TimerQueueTimer.Fire(bool)"),
                          base("System.IO.Monitor.Idle()")};
    profile_.nodes = {
        {}, {0, 2, false}, {1, 1, false}, {0, 3, false}, {3, 1, false}, {0, 4, false}, {0, 1, false}, {0, 1, false}};
    profile_.threads.resize(2);
    profile_.sampling_hz = 1000;
    profile_.wall_ns = 1000 * kMs;
  }
  static constexpr uint32_t kInLoop = 2, kInTimer = 4, kIdle = 5, kOutside = 6;  // nodes

  static profile::Function own(const char* name) { return {name, "", "Shop.dll", true}; }
  static profile::Function base(const char* name) { return {name, "", "System.Private.CoreLib.dll", true}; }

  void run(uint32_t thread, int64_t from_ms, int64_t to_ms, uint32_t node) {
    for (int64_t ms = from_ms + 1; ms <= to_ms; ++ms) profile_.samples.push_back({ms * kMs, thread, node, 1});
  }
  void wait(uint32_t thread, int64_t from_ms, int64_t to_ms, uint32_t node = kIdle) {
    profile_.waits.push_back({to_ms * kMs, thread, node, static_cast<uint64_t>(to_ms - from_ms)});
  }
  std::vector<Hint> hints() const {
    std::vector<Hint> all;
    add_cause_hints(profile_, all);
    return all;
  }

  profile::Profile profile_;
};

TEST_F(CauseHints, NameALoopInWhichOneThreadHasMostOfTheWork) {
  run(0, 0, 1000, kInLoop);
  run(1, 0, 200, kInLoop);
  wait(1, 200, 1000);
  const std::vector<Hint> all = hints();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].key, "imbalance");
  EXPECT_THAT(all[0].text, HasSubstr("in Shop.Sum(int)"));
}

TEST_F(CauseHints, AreNoneOfALoopWhoseThreadsEndTogether) {
  run(0, 0, 1000, kInLoop);
  run(1, 0, 950, kInLoop);
  wait(1, 950, 1000);
  EXPECT_THAT(hints(), IsEmpty());
}

// The other processors are busy: a thread that does not run is not necessarily idle.
TEST_F(CauseHints, AreNoneOfALoopWhoseThreadsGetNoProcessor) {
  run(0, 0, 1000, kInLoop);
  run(1, 0, 200, kInLoop);
  wait(1, 990, 1000);
  EXPECT_THAT(hints(), IsEmpty());
}

TEST_F(CauseHints, AreNoneOfALoopWhoseThreadsWaitInItsBody) {
  run(0, 0, 1000, kInLoop);
  run(1, 0, 200, kInLoop);
  wait(1, 200, 1000, kInLoop);
  EXPECT_THAT(hints(), IsEmpty());
}

TEST_F(CauseHints, AreNoneOfALoopWhoseThreadsWaitElsewhereInOwnCode) {
  run(0, 0, 1000, kInLoop);
  run(1, 0, 200, kInLoop);
  wait(1, 200, 1000, kOutside);
  EXPECT_THAT(hints(), IsEmpty());
}

TEST_F(CauseHints, AreNoneOfALoopAfterAnotherThatHadMoreThreads) {
  profile_.functions.push_back(own("Shop.Print(int)"));
  profile_.nodes.push_back({1, static_cast<uint32_t>(profile_.functions.size() - 1), false});
  run(0, 0, 200, kInLoop);
  run(1, 0, 200, kInLoop);
  run(0, 200, 1000, static_cast<uint32_t>(profile_.nodes.size() - 1));
  wait(1, 200, 1000);
  EXPECT_THAT(hints(), IsEmpty());
}

TEST_F(CauseHints, AreNoneOfLoopsOfTwoProcesses) {
  profile_.processes.resize(2);
  profile_.threads[1].process = 1;
  run(0, 0, 1000, kInLoop);
  run(1, 0, 200, kInLoop);
  wait(1, 200, 1000);
  EXPECT_THAT(hints(), IsEmpty());
}

TEST_F(CauseHints, NameALoopWhoseStarterWaitsForIt) {
  run(0, 0, 1000, kInLoop);
  run(1, 0, 200, kInLoop);
  profile_.nodes.push_back({kOutside, 2, false});  // own code waits in Parallel.For
  wait(1, 200, 1000, static_cast<uint32_t>(profile_.nodes.size() - 1));
  ASSERT_EQ(hints().size(), 1u);
  EXPECT_EQ(hints()[0].key, "imbalance");
}

TEST_F(CauseHints, AreNoneOfWorkOutsideOfLoops) {
  run(0, 0, 1000, kOutside);
  run(1, 0, 200, kOutside);
  wait(1, 200, 1000);
  EXPECT_THAT(hints(), IsEmpty());
}

TEST_F(CauseHints, NameTimersThatCallAllTheTime) {
  for (int64_t ms = 0; ms < 1000; ms += 10) {
    run(0, ms, ms + 3, kInTimer);
    wait(0, ms + 3, ms + 10);
  }
  const std::vector<Hint> all = hints();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].key, "timers");
  EXPECT_THAT(all[0].text, HasSubstr("in 100 % of the tenths of a second"));
}

TEST_F(CauseHints, TellOfTimersThatAreTooManyToGoThrough) {
  const uint32_t kLooking = 3;  // the caller of kInTimer
  for (int64_t ms = 0; ms < 1000; ms += 10) {
    run(0, ms, ms + 3, kLooking);
    run(0, ms + 3, ms + 4, kInTimer);
  }
  const std::vector<Hint> all = hints();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].key, "timers");
  EXPECT_THAT(all[0].text, HasSubstr("is the runtime scanning its timers for due ones"));
}

TEST_F(CauseHints, AreNoneOfATimerThatWorksNowAndThen) {
  run(0, 0, 90, kInTimer);
  run(0, 600, 690, kInTimer);
  EXPECT_THAT(hints(), IsEmpty());
}

// Threads that get a processor now and then, and wait within the callback, are still in the same one.
TEST_F(CauseHints, AreNoneOfOneCallbackOfATimerThatTakesLong) {
  for (int64_t ms = 0; ms < 1000; ms += 10) run(0, ms, ms + 3, kInTimer);
  profile_.waits.push_back({500 * kMs, 0, kInTimer, 5});
  EXPECT_THAT(hints(), IsEmpty());
}

TEST_F(CauseHints, AreNoneOfTimersForWhatComesAfterAnAwaitOfADelay) {
  const uint32_t kFires = 3;  // the caller of kInTimer
  profile_.functions.push_back(base("System.Threading.Tasks.Task.DelayPromise.CompleteTimedOut()"));
  profile_.nodes.push_back({kFires, static_cast<uint32_t>(profile_.functions.size() - 1), false});
  const auto completes = static_cast<uint32_t>(profile_.nodes.size() - 1);
  profile_.nodes.push_back({completes, 1, false});
  for (int64_t ms = 0; ms < 1000; ms += 10) {
    run(0, ms, ms + 3, completes + 1);
    wait(0, ms + 3, ms + 10);
  }
  EXPECT_THAT(hints(), IsEmpty());
}

TEST_F(CauseHints, AreNoneOfTimersForOwnCodeThatSetsThem) {
  profile_.nodes.push_back({kOutside, 3, false});
  const auto sets = static_cast<uint32_t>(profile_.nodes.size() - 1);
  for (int64_t ms = 0; ms < 1000; ms += 10) {
    run(0, ms, ms + 3, sets);
    wait(0, ms + 3, ms + 10);
  }
  EXPECT_THAT(hints(), IsEmpty());
}

TEST_F(CauseHints, NameWhatComesAfterAwaitsOnOneBusyThread) {
  const auto resumes =
      base("System.Runtime.CompilerServices.AsyncTaskMethodBuilder<T>.AsyncStateMachineBox<S>.MoveNext()");
  profile_.functions.insert(profile_.functions.end(),
                            {resumes, base("System.Threading.Tasks.Task.RunContinuations()")});
  profile_.nodes.push_back({kOutside, 5, false});  // a loop in own code resumes a method
  const auto loop = static_cast<uint32_t>(profile_.nodes.size() - 1);
  profile_.nodes.push_back({loop, 1, false});
  run(0, 0, 500, kOutside);
  run(0, 500, 1000, loop + 1);
  const std::vector<Hint> all = hints();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].key, "context");
  // The same, where own code completes the awaited task.
  profile_.nodes[loop].parent = loop - 1;
  profile_.nodes[loop - 1] = {kOutside, 6, false};
  EXPECT_THAT(hints(), IsEmpty());
}

class WaitCauseHints : public CauseHints {
 protected:
  // A node in which own code waits in that method.
  uint32_t waits_in(const char* name) {
    profile_.functions.push_back(base(name));
    profile_.nodes.push_back({kOutside, static_cast<uint32_t>(profile_.functions.size() - 1), false});
    return static_cast<uint32_t>(profile_.nodes.size() - 1);
  }
  void wait_long(uint32_t thread, uint32_t node) {
    for (int64_t ms = 0; ms < 500; ms += 50) wait(thread, ms, ms + 50, node);
  }
};

// One thread may wait for a signal that another gives.
TEST_F(WaitCauseHints, OfASemaphoreNeedTwoThreads) {
  const uint32_t node = waits_in("System.Threading.SemaphoreSlim.Wait()");
  wait_long(0, node);
  EXPECT_THAT(hints(), IsEmpty());
  wait_long(1, node);
  ASSERT_EQ(hints().size(), 1u);
  EXPECT_EQ(hints()[0].key, "semaphore");
}

TEST_F(WaitCauseHints, OfDatabasesAdviseToAwaitWhereThatHelps) {
  wait_long(0, waits_in("Microsoft.Data.Sqlite.SqliteCommand.ExecuteReader()"));
  ASSERT_EQ(hints().size(), 1u);
  EXPECT_THAT(hints()[0].text, HasSubstr("put many writes into one transaction"));
  profile_.functions.back().name = "System.Data.Common.DbCommand.ExecuteReader()";
  EXPECT_THAT(hints()[0].text, ::testing::Not(HasSubstr("use await")));
  profile_.functions.back().name = "Npgsql.NpgsqlCommand.ExecuteReader()";
  EXPECT_THAT(hints()[0].text, HasSubstr("use await there"));
}

TEST_F(CauseHints, AreNoneOfATimerThatTakesLittle) {
  run(0, 0, 1000, kOutside);
  for (int64_t ms = 0; ms < 1000; ms += 50) run(0, ms, ms + 2, kInTimer);
  EXPECT_THAT(hints(), IsEmpty());
}

}  // namespace
}  // namespace oriel::report
