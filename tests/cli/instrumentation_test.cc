#include "instrumentation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace oriel::cli {
namespace {

std::string arguments(const InstrumentationOptions& options) {
  const auto result = instrumentation_arguments(options);
  return result ? *result : result.message();
}

TEST(Instrumentation, ArgumentsOfTheLogModule) {
  EXPECT_EQ(arguments({}), "");
  EXPECT_EQ(arguments({"|", "", "", ""}), ",calls");
  EXPECT_EQ(arguments({"A.*, !B", "exact", "", "block"}), ",calls=A.*|!B,alloc,inlining=block");
  EXPECT_EQ(arguments({"", "exact", "[Shop],Map<K, V>", ""}), ",alloc-in=[Shop]|Map");
  EXPECT_EQ(arguments({"|", "", "|", ""}), ",calls,alloc-in");
  EXPECT_EQ(arguments({"|", "sampled", "", ""}), ",calls,alloc=sampled");
}

TEST(Instrumentation, StacksGoWithAllocations) {
  EXPECT_EQ(arguments({"", "exact", "", "", true}), ",alloc,alloc-stacks");
  EXPECT_EQ(arguments({"", "", "Shop", "keep", true}), ",alloc-in=Shop,alloc-stacks,inlining=keep");
  EXPECT_EQ(arguments({"", "sampled", "", "", true}), ",alloc=sampled,alloc-stacks");
  EXPECT_EQ(arguments({"|", "", "", "", true}),
            "--alloc-stacks is about logged objects; give --alloc or --alloc-in too");
}

// What the command line's words make of --calls, as arguments of the log module.
std::string parsed(std::vector<std::string> words) {
  CLI::App app;
  InstrumentationOptions options;
  add_instrumentation_options(app, options);
  std::reverse(words.begin(), words.end());
  app.parse(words);
  return arguments(options);
}

TEST(Instrumentation, OptionsThatAreRepeatedAreJoined) {
  EXPECT_EQ(parsed({"--calls=A"}), ",calls=A");
  EXPECT_EQ(parsed({"--calls=A", "--calls=B,!Map<K, V>.C", "--calls=D"}), ",calls=A|B|!Map.C|D");
  EXPECT_EQ(parsed({"--alloc-in=A", "--calls", "--alloc-in=B"}), ",calls,alloc-in=A|B");
  EXPECT_EQ(parsed({"--calls", "--calls"}), ",calls");
  EXPECT_EQ(parsed({"--calls", "--calls=!*.ToString"}), ",calls=!*.ToString");
}

TEST(Instrumentation, UserCodeAndPatternsAreTwoThings) {
  const std::string refused = "--calls is given without patterns, which means user code, and with some; decide for one";
  EXPECT_EQ(parsed({"--calls", "--calls=A"}), refused);
  EXPECT_EQ(parsed({"--calls=A", "--calls"}), refused);
}

TEST(Instrumentation, MistakesNameTheOption) {
  EXPECT_EQ(arguments({"[A", "", "", ""}),
            "--calls: the pattern '[A' lacks its ']': write [Assembly] or [Assembly]Namespace.*");
  EXPECT_EQ(arguments({"", "some", "", ""}), "--alloc=some is unknown; use exact or sampled");
  EXPECT_EQ(arguments({"", "sampled", "Shop", ""}),
            "--alloc=sampled is about the allocations of all code; leave it out, or --alloc-in");
  EXPECT_EQ(arguments({"", "", "", "no"}), "--inlining=no is unknown; use keep or block");
}

}  // namespace
}  // namespace oriel::cli
