#include "dump_pace.h"

#include <gtest/gtest.h>

namespace oriel::callgraph_module {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(DumpPace, OftenWhileItIsCheapAndSoonAtFirst) {
  milliseconds pause = kFirstDump, at = pause;
  int dumps = 1;
  for (; at < milliseconds(1000); at += pause, ++dumps) pause = pause_after(pause, microseconds(300));
  EXPECT_LE(kFirstDump, milliseconds(100));
  EXPECT_GE(dumps, 5);
  EXPECT_EQ(pause, kBetweenDumps);
}

TEST(DumpPace, ADumpTakesAFiftiethOfTheTimeAtMost) {
  for (const milliseconds cost : {milliseconds(5), milliseconds(40), milliseconds(900)}) {
    EXPECT_GE(pause_after(kFirstDump, cost), 50 * cost);
    EXPECT_GE(pause_after(milliseconds(100'000), cost), 50 * cost);
  }
  EXPECT_GE(pause_after(kFirstDump, microseconds(4'000'001)), milliseconds(200'001));
}

TEST(DumpPace, ComesBackOnceItIsCheapAgain) {
  EXPECT_EQ(pause_after(milliseconds(5'000), microseconds(10)), kBetweenDumps);
}

}  // namespace
}  // namespace oriel::callgraph_module
