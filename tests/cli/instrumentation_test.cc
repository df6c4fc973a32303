#include "instrumentation.h"

#include <gtest/gtest.h>

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
}

TEST(Instrumentation, MistakesNameTheOption) {
  EXPECT_EQ(arguments({"[A", "", "", ""}),
            "--calls: the pattern '[A' lacks its ']': write [Assembly] or [Assembly]Namespace.*");
  EXPECT_EQ(arguments({"", "sampled", "", ""}),
            "--alloc=sampled is not there yet; use --alloc, which logs each object");
  EXPECT_EQ(arguments({"", "some", "", ""}), "--alloc=some is unknown; use --alloc=exact");
  EXPECT_EQ(arguments({"", "", "", "no"}), "--inlining=no is unknown; use keep or block");
}

}  // namespace
}  // namespace oriel::cli
