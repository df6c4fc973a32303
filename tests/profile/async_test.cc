// Events of async methods put together, whatever threads they ran on and in whatever order they were written.
#include "profile/waiting/async.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oriel/oriel.h"
#include "profile/build/async/async_replay.h"
#include "profile/build/async/async_stacks.h"

namespace oriel::profile {
namespace {

constexpr uint64_t kOuter = 1, kInner = 2;

class Replayed : public ::testing::Test {
 protected:
  void resume(int64_t ns, uint32_t thread, uint64_t method, uint32_t task) {
    play({.ns = ns, .method = method, .thread = thread, .number = oriel_event_async_resume, .task = task});
  }
  void suspend(int64_t ns, uint32_t thread, uint64_t method, uint32_t task, uint32_t awaited) {
    play({.ns = ns,
          .method = method,
          .thread = thread,
          .number = oriel_event_async_suspend,
          .task = task,
          .awaited = awaited,
          .il = 7});
  }
  void complete(int64_t ns, uint32_t thread, uint64_t method, uint32_t task, uint64_t exception = 0) {
    play({.ns = ns,
          .method = method,
          .exception = exception,
          .thread = thread,
          .number = oriel_event_async_complete,
          .task = task});
  }
  void play(const AsyncMark& mark) { replay.play(mark); }
  const ReplayedCall& call(size_t index) const { return replay.calls().at(index); }

  bool value_tasks_are_known = false;
  AsyncReplay replay{[this](uint64_t method, uint32_t il, uint64_t awaited) {
    return value_tasks_are_known && method == kOuter && il == 7 && awaited == kInner;
  }};
};

TEST_F(Replayed, ACallIsOneOnWhateverThreadsItRuns) {
  resume(10, 1, kOuter, 0);
  suspend(30, 1, kOuter, 5, 9);
  resume(130, 2, kOuter, 5);
  complete(150, 2, kOuter, 5);
  ASSERT_EQ(replay.calls().size(), 1u);
  EXPECT_EQ(call(0).start_ns, 10);
  EXPECT_EQ(call(0).end_ns, 150);
  EXPECT_EQ(call(0).ran_ns, 40);
  ASSERT_EQ(replay.waits().size(), 1u);
  EXPECT_EQ(replay.waits()[0].start_ns, 30);
  EXPECT_EQ(replay.waits()[0].end_ns, 130);
  EXPECT_FALSE(replay.waits()[0].of_call);
}

TEST_F(Replayed, WhoAwaitsACallIsKnownByItsTask) {
  resume(10, 1, kOuter, 0);
  resume(11, 1, kInner, 0);
  suspend(15, 1, kInner, 4, 3);
  suspend(20, 1, kOuter, 5, 4);
  EXPECT_EQ(call(1).starter, 0u);
  EXPECT_EQ(call(1).awaiter, 0u);
  EXPECT_EQ(call(1).awaiter_il, 7u);
  EXPECT_EQ(call(0).ran_ns, 6) << "without what ran inside";
  EXPECT_TRUE(replay.waits()[1].of_call);
}

TEST_F(Replayed, OfAValueTaskTheCodeTells) {
  for (const bool known : {false, true}) {
    value_tasks_are_known = known;
    const size_t first = replay.calls().size();
    const uint32_t task = known ? 15 : 5;
    resume(10, 1, kOuter, 0);
    resume(11, 1, kInner, 0);
    suspend(15, 1, kInner, task + 1, 3);
    suspend(20, 1, kOuter, task, 0);
    EXPECT_EQ(call(first + 1).awaiter, known ? first : ReplayedCall::kNone);
    EXPECT_EQ(replay.waits().back().of_call, known);
  }
}

TEST_F(Replayed, SoItDoesWhereAnotherThreadWentOnWithIt) {
  value_tasks_are_known = true;
  resume(10, 1, kOuter, 0);
  resume(11, 1, kInner, 0);
  resume(13, 2, kInner, 6);
  suspend(15, 1, kInner, 6, 3);
  suspend(20, 1, kOuter, 5, 0);
  EXPECT_EQ(call(1).instead, 2u);
  EXPECT_EQ(call(2).awaiter, 0u);
  EXPECT_EQ(call(2).awaiter_il, 7u);
  EXPECT_TRUE(replay.waits().back().of_call);
}

TEST_F(Replayed, WhatGoesOnInsideOfACompletionIsNotItsTime) {
  resume(0, 1, kOuter, 0);
  suspend(10, 1, kOuter, 5, 4);
  resume(20, 1, kInner, 4);
  complete(30, 1, kInner, 4);
  resume(31, 1, kOuter, 5);  // inline in the completion, on its thread
  complete(90, 1, kOuter, 5);
  EXPECT_EQ(call(1).ran_ns, 10);
  EXPECT_EQ(call(0).ran_ns, 69);
}

TEST_F(Replayed, AnotherThreadMayGoOnBeforeThisOneTells) {
  resume(10, 1, kOuter, 0);
  resume(20, 2, kOuter, 5);
  suspend(21, 1, kOuter, 5, 9);
  suspend(40, 2, kOuter, 5, 8);
  resume(60, 1, kOuter, 5);
  complete(70, 1, kOuter, 5);
  ASSERT_EQ(replay.calls().size(), 2u);
  EXPECT_EQ(call(0).instead, 1u);
  EXPECT_EQ(call(1).start_ns, 10);
  EXPECT_EQ(call(1).end_ns, 70);
  EXPECT_EQ(call(1).ran_ns, 11 + 20 + 10);
  ASSERT_EQ(replay.waits().size(), 2u);
  EXPECT_EQ(replay.waits()[0].end_ns, 21);
  EXPECT_EQ(replay.waits()[1].end_ns, 60);
}

TEST_F(Replayed, SoItMayEachTime) {
  resume(10, 1, kOuter, 0);
  suspend(20, 1, kOuter, 5, 9);
  resume(30, 2, kOuter, 5);
  resume(39, 3, kOuter, 5);  // happens after the next event, but has an earlier time
  suspend(40, 2, kOuter, 5, 9);
  suspend(50, 3, kOuter, 5, 9);
  resume(70, 2, kOuter, 5);
  complete(80, 2, kOuter, 5);
  ASSERT_EQ(replay.waits().size(), 3u);
  EXPECT_EQ(replay.waits()[0].end_ns, 30);
  EXPECT_EQ(replay.waits()[1].end_ns, 40);
  EXPECT_EQ(replay.waits()[2].end_ns, 70);
}

TEST_F(Replayed, AnotherThreadMayEndItBeforeThisOneTells) {
  resume(10, 1, kOuter, 0);
  suspend(20, 1, kOuter, 5, 9);
  resume(30, 2, kOuter, 5);
  resume(40, 3, kOuter, 5);
  complete(45, 3, kOuter, 5);
  suspend(50, 2, kOuter, 5, 9);
  ASSERT_EQ(replay.waits().size(), 2u);
  EXPECT_EQ(replay.waits()[1].end_ns, 50);
}

TEST_F(Replayed, AWaitThatWasLostSpoilsNoLaterOnes) {
  resume(10, 1, kOuter, 0);
  suspend(20, 1, kOuter, 5, 9);
  resume(30, 1, kOuter, 5);
  resume(50, 1, kOuter, 5);  // the wait in between was lost
  suspend(60, 1, kOuter, 5, 9);
  resume(90, 2, kOuter, 5);
  ASSERT_EQ(replay.waits().size(), 2u);
  EXPECT_EQ(replay.waits()[1].end_ns, 90);
}

TEST_F(Replayed, WhereEventsWereLostTheRestIsTold) {
  complete(5, 1, kInner, 3);     // a run with unknown start, of an unknown task
  suspend(10, 1, kOuter, 5, 9);  // the same
  resume(20, 1, kOuter, 5);      // never ends
  resume(30, 1, kInner, 0);
  complete(40, 1, kInner, 0, 17);
  complete(50, 1, kOuter, 5);
  complete(60, 1, kOuter, 5);
  ASSERT_EQ(replay.calls().size(), 2u);
  EXPECT_EQ(call(0).start_ns, -1);
  EXPECT_EQ(call(0).end_ns, 60);
  EXPECT_EQ(call(1).exception, 17u);
}

constexpr uint32_t kWithoutTask = UINT32_MAX;

TEST_F(Replayed, CallsWithoutATaskGoOnInTheOrderInWhichTheyWait) {
  for (const uint32_t thread : {1, 2}) {
    resume(10 * thread, thread, kOuter, 0);
    suspend(10 * thread + 5, thread, kOuter, kWithoutTask, 9);
  }
  resume(100, 3, kOuter, kWithoutTask);
  complete(110, 3, kOuter, kWithoutTask);
  resume(200, 3, kOuter, kWithoutTask);
  complete(210, 3, kOuter, kWithoutTask);
  ASSERT_EQ(replay.calls().size(), 2u);
  EXPECT_EQ(call(0).end_ns, 110);
  EXPECT_EQ(call(1).end_ns, 210);
  EXPECT_EQ(call(1).ran_ns, 15);
}

TEST_F(Replayed, AnotherThreadMayGoOnWithACallWithoutATask) {
  resume(10, 1, kOuter, 0);
  resume(20, 2, kOuter, kWithoutTask);
  suspend(21, 1, kOuter, kWithoutTask, 9);
  suspend(30, 2, kOuter, kWithoutTask, 9);
  resume(50, 1, kOuter, kWithoutTask);
  complete(60, 1, kOuter, kWithoutTask);
  ASSERT_EQ(replay.calls().size(), 1u);
  EXPECT_EQ(call(0).end_ns, 60);
  ASSERT_EQ(replay.waits().size(), 2u);
  EXPECT_EQ(replay.waits()[0].end_ns, 21);
  EXPECT_EQ(replay.waits()[1].end_ns, 50);
}

TEST_F(Replayed, ANumberOfWhatIsNoTaskComesAgain) {
  constexpr uint32_t kBox = 0x40000007;
  for (const int64_t at : {0, 100}) {
    resume(at + 10, 1, kOuter, 0);
    suspend(at + 20, 1, kOuter, kBox, 9);
    resume(at + 30, 2, kOuter, kBox);
    complete(at + 40, 2, kOuter, kBox);
  }
  ASSERT_EQ(replay.calls().size(), 2u);
  EXPECT_EQ(call(0).end_ns, 40);
  EXPECT_EQ(call(1).end_ns, 140);
}

TEST_F(Replayed, ANumberMayComeAgainOnAnotherThreadFirst) {
  constexpr uint32_t kBox = 0x40000007;
  for (const int64_t at : {0, 100}) {
    resume(at + 10, 1, kOuter, 0);
    resume(at + 20, 2, kOuter, kBox);
    suspend(at + 21, 1, kOuter, kBox, 9);
    complete(at + 40, 2, kOuter, kBox);
  }
  ASSERT_EQ(replay.calls().size(), 4u);
  for (const size_t first : {0u, 2u}) {
    EXPECT_EQ(call(first).instead, first + 1);
    EXPECT_EQ(call(first + 1).start_ns, call(first).start_ns);
    EXPECT_EQ(call(first + 1).end_ns, call(first).start_ns + 30);
    EXPECT_EQ(call(first + 1).ran_ns, 31);
  }
}

TEST_F(Replayed, ANumberThatComesAgainIsNotThatOfACallWithoutABegin) {
  constexpr uint32_t kBox = 0x40000007;
  resume(10, 2, kOuter, kBox);  // started before recording
  complete(20, 2, kOuter, kBox);
  resume(30, 1, kOuter, 0);
  suspend(40, 1, kOuter, kBox, 9);
  resume(50, 2, kOuter, kBox);
  complete(60, 2, kOuter, kBox);
  ASSERT_EQ(replay.calls().size(), 2u);
  EXPECT_EQ(call(0).end_ns, 20);
  EXPECT_EQ(call(1).start_ns, 30);
  EXPECT_EQ(call(1).end_ns, 60);
}

class Handed : public Replayed {
 protected:
  Handed() {
    replay = AsyncReplay([](uint64_t, uint32_t, uint64_t) { return false; }, {{kInner, {kOuter, 7}}});
  }
};

TEST_F(Handed, IsAwaitedByTheCallThatWaitsThere) {
  resume(10, 1, kOuter, 0);
  suspend(20, 1, kOuter, 5, 9);
  resume(30, 2, kInner, 0);
  EXPECT_EQ(call(1).awaiter, 0u);
  EXPECT_EQ(call(1).awaiter_il, 7u);
  EXPECT_TRUE(replay.waits()[0].of_call);
}

TEST_F(Handed, MayBeginBeforeAnyoneWaits) {
  resume(10, 1, kOuter, 0);
  resume(15, 2, kInner, 0);
  suspend(20, 1, kOuter, 5, 9);
  EXPECT_EQ(call(1).starter, 0u);
  EXPECT_EQ(call(1).awaiter, 0u);
  EXPECT_TRUE(replay.waits()[0].of_call);
}

TEST_F(Handed, IsOfNoCallThatHasGoneOn) {
  resume(10, 1, kOuter, 0);
  suspend(20, 1, kOuter, 5, 9);
  resume(25, 1, kOuter, 5);
  resume(30, 2, kInner, 0);
  EXPECT_EQ(call(1).starter, 0u);
  EXPECT_EQ(call(1).awaiter, ReplayedCall::kNone);
}

Profile profile_of(std::vector<AsyncCall> calls, std::vector<uint32_t> waiting) {
  Profile profile;
  profile.wall_ns = 1000;
  profile.functions.resize(3);
  profile.nodes.resize(2);
  profile.nodes[1].function = 1;
  profile.async_calls = std::move(calls);
  for (const uint32_t call : waiting)
    profile.async_waits.push_back({.start_ns = profile.async_calls[call].start_ns, .call = call, .node = 1});
  return profile;
}

TEST(Async, MethodsHaveTheirCallsAddedUp) {
  const Profile profile =
      profile_of({{.start_ns = 0, .end_ns = 100, .ran_ns = 5, .function = 1},
                  {.start_ns = 100, .end_ns = 400, .function = 1, .exception = 2},
                  {.start_ns = 100, .end_ns = 150, .function = 1, .exception = 2, .is_cancelled = true},
                  {.start_ns = 900, .function = 1},
                  {.start_ns = 0, .end_ns = 1000}},
                 {3});
  const std::vector<AsyncMethod> methods = async_methods(profile);
  ASSERT_EQ(methods.size(), 1u) << "one that the filter left out is none";
  EXPECT_EQ(methods[0].calls, 4u);
  EXPECT_EQ(methods[0].failed, 1u);
  EXPECT_EQ(methods[0].cancelled, 1u);
  EXPECT_EQ(methods[0].open, 1u);
  EXPECT_EQ(methods[0].ns, 100 + 300 + 50 + 100);
  EXPECT_EQ(methods[0].longest_ns, 300);
  EXPECT_EQ(methods[0].ran_ns, 5);
  EXPECT_EQ(methods[0].awaited_ns, 100);
  EXPECT_EQ(methods[0].timed, 4u);
}

TEST(Async, AnAverageIsOfTheCallsWhoseBeginIsKnown) {
  const Profile profile =
      profile_of({{.start_ns = 0, .end_ns = 100, .function = 1}, {.end_ns = 100, .function = 1}, {.function = 1}}, {});
  const std::vector<AsyncMethod> methods = async_methods(profile);
  ASSERT_EQ(methods.size(), 1u);
  EXPECT_EQ(methods[0].calls, 3u);
  EXPECT_EQ(methods[0].timed, 1u);
  EXPECT_EQ(methods[0].average_ns(), 100);
}

TEST(Async, CallsAreInFlightWhileTheyAreNotOver) {
  const Profile profile = profile_of({{.start_ns = 0, .end_ns = 300, .function = 1},
                                      {.start_ns = 100, .end_ns = 600, .function = 1},
                                      {.start_ns = 0, .end_ns = 1000, .function = 1},
                                      {.start_ns = 700, .function = 1}},
                                     {0, 1, 3});
  const InFlight flight = in_flight(profile, 4);
  EXPECT_THAT(flight.most, ::testing::ElementsAre(2, 2, 1, 1)) << "one that never waited is none";
  EXPECT_EQ(flight.at_end, 1u);
}

class Standing : public ::testing::Test {
 protected:
  Standing() {
    profile.functions.resize(10);
    profile.threads.resize(2);
    profile.nodes.resize(1);
  }
  // A stack's innermost node; outermost function first.
  uint32_t stack(std::initializer_list<uint32_t> functions, uint32_t under = 0) {
    for (const uint32_t function : functions) {
      profile.nodes.push_back({.parent = under, .function = function});
      under = static_cast<uint32_t>(profile.nodes.size() - 1);
    }
    return under;
  }
  std::vector<uint32_t> frames(uint32_t node) const {
    std::vector<uint32_t> functions;
    for (; node != 0; node = profile.nodes[node].parent)
      functions.insert(functions.begin(), profile.nodes[node].function);
    return functions;
  }
  // The logical stack of a stack at that time on thread 0.
  std::vector<uint32_t> standing(const std::vector<AsyncRun>& runs, int64_t ns, uint32_t node) {
    return frames(LogicalStacks(runs, {}, profile).of(0, ns, node));
  }

  static constexpr uint32_t kPool = 1, kPage = 2, kBody = 3, kWork = 4, kOther = 5;
  Profile profile;
};

TEST_F(Standing, ASampleIsUnderThoseThatAwaitWhatRuns) {
  const uint32_t page = stack({kPage}), node = stack({kPool, kBody, kWork});
  const std::vector<AsyncRun> runs = {{.begin_ns = 10, .end_ns = 20, .function = kBody, .under = page}};
  EXPECT_THAT(standing(runs, 15, node), ::testing::ElementsAre(kPage, kBody, kWork));
  EXPECT_THAT(standing(runs, 9, node), ::testing::ElementsAre(kPool, kBody, kWork)) << "before it ran";
  EXPECT_THAT(standing(runs, 21, node), ::testing::ElementsAre(kPool, kBody, kWork));
  EXPECT_THAT(standing(runs, 15, stack({kPool, kOther})), ::testing::ElementsAre(kPool, kOther)) << "beside it";
}

TEST_F(Standing, WhatWasHandedOverIsUnderWhoWaitsForIt) {
  const uint32_t page = stack({kPage}), node = stack({kPool, kBody, kWork});
  LogicalStacks stacks({}, {{kBody, {{.start_ns = 10, .end_ns = 20, .node = page}}}}, profile);
  EXPECT_THAT(frames(stacks.of(0, 15, node)), ::testing::ElementsAre(kPage, kBody, kWork));
  EXPECT_THAT(frames(stacks.of(0, 25, node)), ::testing::ElementsAre(kPool, kBody, kWork)) << "nobody waits";
  EXPECT_THAT(frames(stacks.of(0, 15, stack({kPool, kWork}))), ::testing::ElementsAre(kPool, kWork));
}

TEST_F(Standing, WhatWasCalledAsEverStaysAsTheStackShowsIt) {
  const uint32_t node = stack({kPool, kPage, kOther, kBody, kWork}), under_page = stack({kPage});
  std::vector<AsyncRun> runs = {
      {.begin_ns = 10, .end_ns = 40, .function = kPage},
      {.begin_ns = 20, .end_ns = 30, .function = kBody, .under = under_page, .outer = 0, .is_of_outer = true}};
  EXPECT_THAT(standing(runs, 25, node), ::testing::ElementsAre(kPool, kPage, kOther, kBody, kWork));
  runs[0].under = stack({kOther});
  EXPECT_THAT(standing(runs, 25, node), ::testing::ElementsAre(kOther, kPage, kOther, kBody, kWork));
}

TEST_F(Standing, WhatGoesOnInsideOfACompletionIsUnderItsOwn) {
  const uint32_t page = stack({kPage}), node = stack({kPool, kOther, kBody, kWork});
  const std::vector<AsyncRun> runs = {{.begin_ns = 10, .end_ns = 40, .function = kOther},
                                      {.begin_ns = 20, .end_ns = 30, .function = kBody, .under = page, .outer = 0}};
  EXPECT_THAT(standing(runs, 25, node), ::testing::ElementsAre(kPage, kBody, kWork));
}

}  // namespace
}  // namespace oriel::profile
