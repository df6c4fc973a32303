// Activations of methods with tail calls: there is one exit for each enter, even if an exception passes through a frame
// that has already reported its tail call.
#include "runtimes/coreclr/instrument/probe_calls.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/things/entities.h"

namespace oriel::test {
namespace {

using namespace coreclr;

struct Told {
  int enters = 0, exits = 0;
} told;

class CountedProbe : public testing::Test {
 protected:
  CountedProbe() {
    told = {};
    enter_.code = reinterpret_cast<const void*>(+[](oriel_profiler*, oriel_method*, const void*) { ++told.enters; });
    exit_.code = reinterpret_cast<const void*>(+[](oriel_profiler*, oriel_method*, const void*) { ++told.exits; });
    listen(&enter_);
  }
  ~CountedProbe() override { listen(nullptr); }

  void listen(const ProbeTarget* target) { probe_cells[oriel_event_method_enter - kFirstProbe].store(target); }
  void enter(oriel_method& method) { report_counted_enter(&enter_, &method, nullptr); }
  void tail_call(oriel_method& method) { report_counted_leave(&exit_, &method, nullptr); }

  ProbeTarget enter_, exit_;
  oriel_method method_, other_;
};

TEST_F(CountedProbe, AnExceptionThatComesByATailCallIsNoSecondExit) {
  enter(method_);
  tail_call(method_);
  EXPECT_FALSE(leave_activation(&method_));
  EXPECT_EQ(told.enters, 1);
  EXPECT_EQ(told.exits, 1);
}

TEST_F(CountedProbe, OneThatLeavesBeforeTheTailCallIsTheExit) {
  enter(method_);
  EXPECT_FALSE(leave_activation(&other_));
  EXPECT_TRUE(leave_activation(&method_));
  EXPECT_FALSE(leave_activation(&method_));
}

TEST_F(CountedProbe, InRecursionTheSumIsRight) {
  enter(method_);
  enter(method_);
  tail_call(method_);
  // At most two frames are passed; it does not matter which.
  const int left = leave_activation(&method_) + leave_activation(&method_);
  EXPECT_EQ(told.exits + left, told.enters);
}

TEST_F(CountedProbe, EachThreadCountsItsOwn) {
  enter(method_);
  std::thread([&] { EXPECT_FALSE(leave_activation(&method_)); }).join();
  EXPECT_TRUE(leave_activation(&method_));
}

TEST_F(CountedProbe, WhereNobodyHearsEntersEveryExitIsTold) {
  listen(nullptr);
  tail_call(method_);
  EXPECT_TRUE(leave_activation(&method_));
  EXPECT_EQ(told.exits, 1);
}

TEST(CountedProbes, AreThoseThatTellEntersAndExceptions) {
  EXPECT_TRUE(counts_activations(ORIEL_CALLS_ENTER | ORIEL_CALLS_EXCEPTION_LEAVE));
  EXPECT_TRUE(counts_activations(ORIEL_CALLS_ALL | ORIEL_CALLS_FULL));
  EXPECT_FALSE(counts_activations(ORIEL_CALLS_EXCEPTION_LEAVE | ORIEL_CALLS_TAIL_CALL));
  EXPECT_TRUE(counts_activations(ORIEL_CALLS_ENTER | ORIEL_CALLS_EXCEPTION_LEAVE | ORIEL_CALLS_ENTER_CONTEXT));
}

}  // namespace
}  // namespace oriel::test
