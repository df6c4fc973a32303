#include "show/callgraph_file.h"

#include <gtest/gtest.h>

namespace oriel::cli {
namespace {

TEST(CallgraphFile, StandsBesideTheLog) {
  EXPECT_EQ(beside({"/tmp", "%n-%p.oriel"}, ".callgraph.oriel").name, "%n-%p.callgraph.oriel");
  EXPECT_EQ(beside({"/tmp", "log"}, ".callgraph.oriel").name, "log.callgraph.oriel");
  EXPECT_EQ(beside({"/tmp", ".oriel"}, ".callgraph.oriel").name, ".oriel.callgraph.oriel");
}

}  // namespace
}  // namespace oriel::cli
