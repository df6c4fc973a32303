// Which of a thread's exceptions the runtime means, by where on the stack it calls from. Stacks grow down: what happens
// within a clause is at lower addresses.
#include "runtimes/coreclr/exceptions_in_flight.h"

#include <gtest/gtest.h>

#include <vector>

namespace oriel::coreclr {
namespace {

std::vector<uintptr_t> released;
void release(ExceptionStack::Handle handle) { released.push_back(handle); }

class InFlight : public ::testing::Test {
 protected:
  void SetUp() override { released.clear(); }
  // A throw is told from a little further up than what follows.
  void thrown(uintptr_t exception, uintptr_t place) { stack_.thrown(exception, place + 0x800, release); }
  uintptr_t called_from(uintptr_t place) { return stack_.called_from(place, release); }
  void caught_from(uintptr_t place) { stack_.caught_from(place, release); }

  static constexpr uintptr_t kOuter = 0x1000000, kInner = 0xffd000, kInnermost = 0xffa000;
  ExceptionStack stack_{};
};

TEST_F(InFlight, OneIsMeantUntilItIsCaught) {
  EXPECT_EQ(called_from(kOuter), 0u);
  thrown(1, kOuter);
  EXPECT_EQ(called_from(kOuter), 1u);
  EXPECT_EQ(called_from(kOuter - 200), 1u) << "the dispatcher calls by functions with frames of different sizes";
  EXPECT_EQ(called_from(kOuter + 100), 1u);
  EXPECT_EQ(stack_.innermost(), 1u);
  caught_from(kOuter);
  EXPECT_EQ(called_from(kOuter), 0u);
  EXPECT_EQ(released, std::vector<uintptr_t>{1});
}

TEST_F(InFlight, OneThrownInAClauseIsMeantWithinItOnly) {
  thrown(1, kOuter);
  thrown(2, kInner);
  EXPECT_EQ(called_from(kInner), 2u);
  caught_from(kInner);
  EXPECT_EQ(called_from(kOuter), 1u);
}

TEST_F(InFlight, OneThatTookAnothersPlaceEndsBoth) {
  thrown(1, kOuter);
  thrown(2, kInner);
  thrown(3, kInnermost);
  EXPECT_EQ(called_from(kInnermost), 3u);
  caught_from(kInnermost);  // where the second was going to be
  EXPECT_EQ(called_from(kOuter), 1u);
  EXPECT_EQ(released, (std::vector<uintptr_t>{3, 2}));
}

TEST_F(InFlight, OneThatNativeCodeCaughtIsForgottenWhenAnOuterOneGoesOn) {
  thrown(1, kOuter);
  thrown(2, kInner);
  EXPECT_EQ(called_from(kOuter), 1u);
  EXPECT_EQ(released, std::vector<uintptr_t>{2});
}

TEST_F(InFlight, OneWhoseThrowWasNotHeardIsNoOther) {
  thrown(1, kOuter);
  EXPECT_EQ(called_from(kInner), 0u);
  caught_from(kInner);
  EXPECT_EQ(called_from(kOuter), 1u);
}

TEST_F(InFlight, AreNotKeptForEver) {
  for (uintptr_t i = 1; i <= 1000; ++i) {
    thrown(i, kOuter - i * 0x3000);
    EXPECT_EQ(called_from(kOuter - i * 0x3000), i);
  }
  stack_.clear(release);
  EXPECT_EQ(released.size(), 1000u);
  EXPECT_EQ(stack_.innermost(), 0u);
}

}  // namespace
}  // namespace oriel::coreclr
