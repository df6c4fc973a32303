#include "options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel::callgraph_module {
namespace {

using testing::HasSubstr;

TEST(Options, ByDefaultCallsOfUserCodeBesideTheLog) {
  const auto options = parse_options("");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->calls.text(), "");
  EXPECT_FALSE(options->allocations);
  EXPECT_FALSE(options->block_inlining);
  EXPECT_EQ(options->out, "%n-%p.callgraph.oriel");
}

TEST(Options, PatternsAreJoinedByBarsAndOutTakesTheRest) {
  const auto options = parse_options("calls=Shop.*|!*.ToString,alloc,inlining=block,out=/tmp/a,b=%p%%.oriel");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->calls.text(), "Shop.*|!*.ToString");
  EXPECT_TRUE(options->calls.of_method("Shop", true, "Shop.Cart.Add(int)"));
  EXPECT_FALSE(options->calls.of_method("Shop", true, "Shop.Cart.ToString()"));
  EXPECT_TRUE(options->allocations);
  EXPECT_TRUE(options->block_inlining);
  EXPECT_EQ(options->out, "/tmp/a,b=%p%%.oriel");
}

TEST(Options, WhatIsWrongIsSaid) {
  EXPECT_THAT(parse_options("calls=[Shop").message(), HasSubstr("callgraph: "));
  EXPECT_THAT(parse_options("inlining=never").message(), HasSubstr("keep or block"));
  EXPECT_THAT(parse_options("sample=real").message(), HasSubstr("calls, trivial, alloc, inlining, out"));
  EXPECT_THAT(parse_options("alloc=sampled").message(), HasSubstr("every object"));
  EXPECT_THAT(parse_options("out=").message(), HasSubstr("names no file"));
}

}  // namespace
}  // namespace oriel::callgraph_module
