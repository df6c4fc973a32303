#include "arguments.h"

#include <gtest/gtest.h>

namespace oriel::cli {
namespace {

using Words = std::vector<std::string>;

TEST(SplitArguments, CommandBeginsAfterTwoDashes) {
  const Arguments split = split_arguments({"run", "--sample", "-o", "x", "--", "dotnet", "a.dll", "--", "-x"});
  EXPECT_EQ(split.own, (Words{"run", "--sample", "-o", "x"}));
  EXPECT_EQ(split.command, (Words{"dotnet", "a.dll", "--", "-x"}));
}

TEST(SplitArguments, CommandBeginsAtFirstWordThatIsNoOption) {
  const Arguments split = split_arguments({"run", "--module", "mine:a", "--sample=99", "dotnet", "--info"});
  EXPECT_EQ(split.own, (Words{"run", "--module", "mine:a", "--sample=99"}));
  EXPECT_EQ(split.command, (Words{"dotnet", "--info"}));
}

TEST(SplitArguments, ValueThatLooksLikeTheMarkIsAValue) {
  EXPECT_EQ(split_arguments({"run", "-o", "--", "--", "x"}).command, Words{"x"});
}

TEST(SplitArguments, OptionWithoutItsValueAtTheEnd) {
  const Arguments split = split_arguments({"run", "--module"});
  EXPECT_EQ(split.own, (Words{"run", "--module"}));
  EXPECT_TRUE(split.command.empty());
}

TEST(SplitArguments, APatternAfterABlankIsNoProgram) {
  const Arguments split = split_arguments({"run", "--calls", "Shop.*,!*.ToString", "--alloc", "dotnet", "a.dll"});
  EXPECT_EQ(split.own, (Words{"run", "--calls=Shop.*,!*.ToString", "--alloc"}));
  EXPECT_EQ(split.command, (Words{"dotnet", "a.dll"}));
  EXPECT_EQ(split_arguments({"run", "--calls", "dotnet", "*"}).command, (Words{"dotnet", "*"}));
  EXPECT_EQ(split_arguments({"run", "--calls", "--", "[x]"}).command, Words{"[x]"});
  EXPECT_EQ(split_arguments({"run", "--inlining", "block", "x"}).command, Words{"x"});
}

TEST(SplitArguments, OtherCommandsAreLeftWhole) {
  EXPECT_EQ(split_arguments({"report", "--", "f"}).own, (Words{"report", "--", "f"}));
  EXPECT_TRUE(split_arguments({}).own.empty());
}

}  // namespace
}  // namespace oriel::cli
