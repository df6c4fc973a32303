#include "options.h"

#include <gtest/gtest.h>

namespace oriel::coverage_module {
namespace {

TEST(CoverageOptions, ComeInAnyOrder) {
  for (const char* text : {"output=/tmp/%n-%p.oriel,mode=count,include=Shop|[Other],exclude=Shop.Old",
                           "mode=count,include=Shop|[Other],exclude=Shop.Old,output=/tmp/%n-%p.oriel",
                           "output=/tmp/%n-%p.oriel,per-test,mode=count,include=Shop|[Other],exclude=Shop.Old",
                           "include=Shop|[Other],output=/tmp/%n-%p.oriel,exclude=Shop.Old,mode=count"}) {
    const auto options = parse_options(text);
    ASSERT_TRUE(options) << text << ": " << options.message();
    EXPECT_EQ(options->out, "/tmp/%n-%p.oriel") << text;
    EXPECT_TRUE(options->counts) << text;
    EXPECT_EQ(options->methods.text(), "Shop|[Other]|!Shop.Old") << text;
  }
}

TEST(CoverageOptions, AFileMayHaveCommas) {
  const auto options = parse_options("output=/tmp/a,b.oriel,mode=hit");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->out, "/tmp/a,b.oriel");
  EXPECT_FALSE(options->counts);
}

TEST(CoverageOptions, WithoutIncludeUserCodeIsMeantButForWhatIsExcluded) {
  const auto options = parse_options("exclude=Shop.Old|[Made]");
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->methods.includes_user_code());
  EXPECT_EQ(options->methods.text(), "!Shop.Old|![Made]");
}

TEST(CoverageOptions, WhatCannotBeIsRefused) {
  for (const char* text : {"mode=lines", "exclude=!Shop", "colour=red", "output="}) {
    const auto options = parse_options(text);
    ASSERT_FALSE(options) << text;
    EXPECT_EQ(options.message().find("coverage: "), 0u) << options.message();
  }
}

}  // namespace
}  // namespace oriel::coverage_module
