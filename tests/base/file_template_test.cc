#include "base/files/file_template.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(FileTemplate, StandsForNameAndProcess) {
  EXPECT_EQ(expand_template("%n-%p.oriel", "Shop", 4711), "Shop-4711.oriel");
  EXPECT_EQ(expand_template("100%%p,%x,%", "Shop", 1), "100%p,%x,%");
}

TEST(FileTemplate, ANameStandsForItselfWithItsPercentSignsDoubled) {
  EXPECT_EQ(template_of("a%p-%"), "a%%p-%%");
  EXPECT_EQ(expand_template(template_of("a%p-%%n%"), "Shop", 1), "a%p-%%n%");
}

TEST(FileTemplate, MatchesAnyProgramsNameAndDigits) {
  EXPECT_TRUE(matches_template("%n-%p.oriel", "dotnet-build-12.oriel"));
  EXPECT_TRUE(matches_template("%p%p", "12"));
  EXPECT_FALSE(matches_template("%n-%p.oriel", "dotnet-x.oriel"));
  EXPECT_FALSE(matches_template("%n-%p.oriel", "-12.oriel"));
  EXPECT_FALSE(matches_template("a%p", "a"));
  EXPECT_FALSE(matches_template("a", "ab"));
  EXPECT_TRUE(matches_template("50%", "50%"));
  EXPECT_TRUE(matches_template("50%%", "50%"));
  EXPECT_TRUE(matches_template("%x", "%x"));
}

TEST(ProgramName, IsTheManagedProgramsUnderADotnetHost) {
  EXPECT_EQ(program_name({"dotnet", "bin/Shop.dll", "--port", "8080"}), "Shop");
  EXPECT_EQ(program_name({"dotnet", "/x/csc.dll", "@rsp"}), "csc");
  EXPECT_EQ(program_name({"/usr/bin/dotnet", "exec", "--depsfile", "other.dll", "Shop.Web.dll"}), "Shop.Web");
  EXPECT_EQ(program_name({"dotnet", "--roll-forward", "Major", "Shop.exe"}), "Shop");
}

TEST(ProgramName, NamesTheSdksVerb) {
  EXPECT_EQ(program_name({"/usr/bin/mono", "--debug", "--config", "x.exe", "bin/Shop.exe", "a.exe"}), "Shop");
  EXPECT_EQ(program_name({"mono-sgen", "Shop.exe"}), "Shop");
  EXPECT_EQ(program_name({"mono", "--version"}), "mono");
  EXPECT_EQ(program_name({"monodis", "Shop.exe"}), "monodis");
  EXPECT_EQ(program_name({"dotnet", "build", "Shop.csproj"}), "dotnet-build");
  EXPECT_EQ(program_name({"dotnet", "-d", "run"}), "dotnet-run");
  EXPECT_EQ(program_name({"dotnet", "--info"}), "dotnet");
  EXPECT_EQ(program_name({"dotnet"}), "dotnet");
}

TEST(ProgramName, IsTheExecutablesOtherwise) {
  EXPECT_EQ(program_name({"./out/shop", "a.dll"}), "shop");
  EXPECT_EQ(program_name({"a b/\xc3\xa9;x"}), "___x");
  EXPECT_EQ(program_name({""}), "program");
  EXPECT_EQ(program_name({}), "program");
}

}  // namespace
}  // namespace oriel
