#include "base/text/edit_distance.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(EditDistance, CountsLettersToAddLeaveOutOrExchange) {
  EXPECT_EQ(edit_distance("report", "report"), 0u);
  EXPECT_EQ(edit_distance("reprot", "report"), 2u);
  EXPECT_EQ(edit_distance("repot", "report"), 1u);
  EXPECT_EQ(edit_distance("reporter", "report"), 2u);
  EXPECT_EQ(edit_distance("", "run"), 3u);
  EXPECT_EQ(edit_distance("run", ""), 3u);
}

}  // namespace
}  // namespace oriel
