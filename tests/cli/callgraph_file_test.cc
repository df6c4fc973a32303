#include "callgraph_file.h"

#include <gtest/gtest.h>

namespace oriel::cli {
namespace {

TEST(CallgraphFile, StandsBesideTheLog) {
  EXPECT_EQ(beside_log({"/tmp", "%n-%p.oriel"}).name, "%n-%p.callgraph.oriel");
  EXPECT_EQ(beside_log({"/tmp", "log"}).name, "log.callgraph.oriel");
  EXPECT_EQ(beside_log({"/tmp", ".oriel"}).name, ".oriel.callgraph.oriel");
}

TEST(CallgraphFile, PatternsBecomeArguments) {
  EXPECT_EQ(*callgraph_arguments("-", false, ""), "");
  EXPECT_EQ(*callgraph_arguments("Shop.*,!*.ToString", true, "block"),
            "calls=Shop.*|!*.ToString,alloc,inlining=block,");
  EXPECT_EQ(*callgraph_arguments("A\nB", false, ""), "calls=A|B,");
  EXPECT_FALSE(callgraph_arguments("A\n-", false, ""));
  EXPECT_FALSE(callgraph_arguments("[Shop", false, ""));
}

}  // namespace
}  // namespace oriel::cli
