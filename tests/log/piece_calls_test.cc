// What an index says of the calls of a piece of a log.
#include "log/piece_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "log/event.h"
#include "oriel/oriel.h"

namespace oriel::log {
namespace {

using ::testing::ElementsAre;

class Pieces : public ::testing::Test {
 protected:
  void enter(uint64_t thread, uint32_t method) { tell(thread, oriel_event_method_enter, method); }
  void leave(uint64_t thread, uint32_t method) { tell(thread, oriel_event_method_leave, method); }
  void lose(uint64_t thread, uint64_t events) {
    Event event;
    event.thread = thread;
    event.number = Event::kCallsLost;
    event.values[0] = events;
    EXPECT_TRUE(calls_.add(event));
  }
  // The piece's stacks: "thread: -ended, opened…", with a ! after a gap. The next piece begins.
  std::vector<std::string> stacks() {
    std::vector<PassedStack> stacks;
    EXPECT_TRUE(calls_.stacks(stacks));
    calls_.begin_piece();
    std::vector<std::string> texts;
    for (const PassedStack& stack : stacks) {
      texts.push_back(std::to_string(stack.thread) + ": -" + std::to_string(stack.ended) +
                      (stack.is_after_gap ? "!" : ""));
      for (const uint64_t method : stack.opened) texts.back() += " " + std::to_string(method);
    }
    return texts;
  }

  PieceCalls calls_;

 private:
  void tell(uint64_t thread, uint32_t what, uint32_t method) {
    const Call call{++now_, what, method};
    calls_.add(thread, {&call, 1});
  }
  uint64_t now_ = 100;
};

TEST_F(Pieces, HaveWhatBecomesOfTheStacks) {
  enter(7, 1), enter(7, 2), enter(3, 9), enter(7, 3), leave(7, 3);
  EXPECT_EQ(calls_.sums().enters, 4u);
  EXPECT_EQ(calls_.sums().first_enter, 101u);
  EXPECT_THAT(stacks(), ElementsAre("7: -0 1 2", "3: -0 9"));
  leave(7, 2), enter(7, 4), enter(7, 5), leave(7, 5);
  EXPECT_EQ(calls_.sums().enters, 2u);
  EXPECT_EQ(calls_.sums().first_enter, 107u);
  EXPECT_THAT(stacks(), ElementsAre("7: -1 4"));
  leave(3, 9), leave(7, 4), leave(7, 1), enter(7, 1);
  EXPECT_THAT(stacks(), ElementsAre("3: -1", "7: -2 1"));
  EXPECT_THAT(stacks(), ElementsAre()) << "nothing happened";
}

TEST_F(Pieces, SayWhatHasNoPair) {
  enter(1, 1), enter(1, 2), enter(1, 3), leave(1, 1), leave(1, 5), enter(1, 6);
  EXPECT_EQ(calls_.sums().without_leave, 2u);
  EXPECT_EQ(calls_.sums().without_enter, 1u);
  EXPECT_THAT(stacks(), ElementsAre("1: -0 6"));
  leave(1, 0);  // of a stack that is not known
  EXPECT_EQ(calls_.sums().without_leave, 1u);
  EXPECT_EQ(calls_.sums().without_enter, 1u);
  EXPECT_THAT(stacks(), ElementsAre("1: -1"));
}

TEST_F(Pieces, BeginAnewWhereCallsWereLost) {
  enter(1, 1), enter(1, 2);
  EXPECT_THAT(stacks(), ElementsAre("1: -0 1 2"));
  enter(1, 3), lose(1, 40), enter(1, 4);
  EXPECT_EQ(calls_.sums().gaps, 1u);
  EXPECT_EQ(calls_.sums().lost_events, 40u);
  EXPECT_EQ(calls_.sums().without_leave, 3u);
  EXPECT_THAT(stacks(), ElementsAre("1: -2! 4"));
  leave(1, 4);
  EXPECT_THAT(stacks(), ElementsAre("1: -1"));
}

TEST_F(Pieces, SayNothingOfMoreThanAnIndexHolds) {
  for (uint32_t i = 0; i < 70'000; ++i) enter(1, i);
  std::vector<PassedStack> none;
  EXPECT_FALSE(calls_.stacks(none));
  calls_.begin_piece();
  for (uint32_t i = 70'000; i-- > 1;) leave(1, i);
  EXPECT_THAT(stacks(), ElementsAre("1: -69999")) << "what ended is a number only";
}

// A damaged log, or a program that never returns.
TEST_F(Pieces, SayNothingMoreAfterMoreCallsThanAreFollowed) {
  std::vector<Call> calls(4096, Call{1, oriel_event_method_enter, 1});
  for (int i = 0; i <= 1024; ++i) calls_.add(1, calls);
  calls_.begin_piece();
  leave(1, 1);
  std::vector<PassedStack> none;
  EXPECT_FALSE(calls_.stacks(none));
}

TEST_F(Pieces, SayNothingMoreAfterMoreThreadsThanAreFollowed) {
  for (uint64_t thread = 0; thread < 20'000; ++thread) {
    enter(thread, 1);
    leave(thread, 1);
    if (thread % 100 == 0) calls_.begin_piece();
  }
  std::vector<PassedStack> stacks;
  EXPECT_TRUE(calls_.stacks(stacks)) << "they have no open calls";
  for (uint64_t thread = 0; thread < 20'000; ++thread) enter(thread, 1);
  EXPECT_FALSE(calls_.stacks(stacks));
}

}  // namespace
}  // namespace oriel::log
