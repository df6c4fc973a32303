// Options of oriel cover, and the files that it writes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "arguments.h"
#include "cover/cover_choice.h"
#include "cover/cover_files.h"
#include "profile/profile.h"
#include "temp_folder.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

TEST(CoverArguments, TheProgramsOwnAreNotOurs) {
  const Arguments split =
      split_arguments({"cover", "--format", "lcov", "--include=Shop", "dotnet", "test", "--format", "x"});
  EXPECT_EQ(split.own, (std::vector<std::string>{"cover", "--format", "lcov", "--include=Shop"}));
  EXPECT_EQ(split.command, (std::vector<std::string>{"dotnet", "test", "--format", "x"}));
  EXPECT_EQ(split_arguments({"cover", "--with-tests", "--", "merge"}).command, std::vector<std::string>{"merge"});
  EXPECT_TRUE(split_arguments({"cover", "merge", "a.oriel", "--format", "lcov"}).command.empty());
}

TEST(CoverChoice, ExcludedPatternsAreTakenAway) {
  CoverChoice options;
  options.include = {"Shop,[Core]", "Old"};
  options.exclude = {"Shop.Cart"};
  EXPECT_EQ(options.included(), "Shop|[Core]|Old");
  const auto choice = choice_of(options);
  ASSERT_TRUE(choice) << choice.message();
  EXPECT_TRUE(choice->methods.of_method("Shop", false, "Shop.Box.Add"));
  EXPECT_FALSE(choice->methods.of_method("Shop", false, "Shop.Cart.Add"));
  EXPECT_FALSE(choice->methods.of_method("Other", true, "Other.Cart.Add"));
}

TEST(CoverChoice, OnlyExcludedLeavesOwnCode) {
  CoverChoice options;
  options.exclude = {"Shop.Cart"};
  options.files = {"*.g.cs,obj/*"};
  const auto choice = choice_of(options);
  ASSERT_TRUE(choice) << choice.message();
  EXPECT_TRUE(choice->methods.of_method("Shop", true, "Shop.Box.Add"));
  EXPECT_FALSE(choice->methods.of_method("System", false, "System.String.Join"));
  EXPECT_EQ(choice->files, (std::vector<std::string>{"*.g.cs", "obj/*"}));
}

TEST(CoverChoice, WhatCannotBeMeantIsRefused) {
  CoverChoice options;
  options.include = {"[Shop"};
  ASSERT_FALSE(choice_of(options));
  EXPECT_EQ(choice_of(options).message().find("--include: "), 0u);
  options.include = {};
  options.exclude = {"!Shop"};
  ASSERT_FALSE(choice_of(options));
}

TEST(CoverChoice, WhyThereIsNothingNamesWhatMatchedNothing) {
  CoverChoice options;
  EXPECT_EQ(why_nothing(options, *choice_of(options)),
            "nothing is covered: none of the code that ran is your own; choose code with --include");
  options.include = {"Shopp"};
  EXPECT_EQ(why_nothing(options, *choice_of(options)), "nothing is covered: no code that ran matches --include Shopp");
  options.include = {};
  options.exclude = {"Shop"};
  EXPECT_EQ(why_nothing(options, *choice_of(options)),
            "nothing is covered: all code that ran is left out by the --exclude options");
}

TEST(CoverFiles, AreCalledByTheirFormats) {
  TempFolder folder;
  const auto one = files_for({{"lcov"}, folder.path() + "/x.info"});
  ASSERT_TRUE(one) << one.message();
  EXPECT_EQ((*one)[0].path, folder.path() + "/x.info");
  const auto several = files_for({{"log,html", "lcov"}, folder.path() + "/new/out"});
  ASSERT_TRUE(several) << several.message();
  ASSERT_EQ(several->size(), 3u);
  EXPECT_EQ((*several)[0].format, nullptr);
  EXPECT_EQ((*several)[0].path, folder.path() + "/new/out/coverage.oriel");
  EXPECT_EQ((*several)[1].path, folder.path() + "/new/out/coverage.html");
  EXPECT_TRUE(fs::is_empty(folder.path() + "/new/out")) << "nothing is left of trying";
  EXPECT_EQ(files_for({{}, folder.path()})->at(0).path, folder.path() + "/coverage.oriel");
}

TEST(CoverFiles, WhatCannotBeWrittenIsSaidBefore) {
  EXPECT_EQ(files_for({{"opencover"}, ""}).message(),
            "there is no format \"opencover\" of coverage; choose one of cobertura, lcov, coverlet, json, html, log");
  EXPECT_EQ(files_for({{"lcov"}, "/nowhere/x.info"}).message(),
            "'/nowhere/x.info' cannot be written: No such file or directory; name another place with -o");
  EXPECT_FALSE(files_for({{"lcov,html"}, "/proc/nothing"}));
  EXPECT_FALSE(files_for({{"lcov,html"}, "-"}));
  EXPECT_FALSE(files_for({{}, "-"}));
}

TEST(CoverFiles, AreWrittenWholeOrNotAtAll) {
  TempFolder folder;
  Covered covered;
  covered.counted.covered_images = {{"Shop.dll", "/srv/Shop.dll", std::string(32, 'a'), "", "", true}};
  covered.counted.covered_methods = {{0, 1, "", {{false, 0, 0, 1}}}};
  const auto files = files_for({{"log,json"}, folder.path()});
  ASSERT_TRUE(files);
  ASSERT_TRUE(write_files(*files, covered));
  const auto log = profile::load(folder.path() + "/coverage.oriel");
  ASSERT_TRUE(log) << log.message();
  EXPECT_EQ(log->covered_methods.size(), 1u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 2);
  if (!fs::exists("/dev/full")) return;
  const auto full = files_for({{"json"}, "/dev/full"});
  ASSERT_TRUE(full);
  EXPECT_FALSE(write_files(*full, covered));
  EXPECT_TRUE(fs::exists("/dev/full"));
}

}  // namespace
}  // namespace oriel::cli
