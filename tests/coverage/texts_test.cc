// Coverage as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "coverage/changed_lines.h"
#include "coverage/shop.h"
#include "report/coverage/coverage_diff.h"
#include "report/coverage/coverage_tests.h"
#include "report/coverage/coverage_text.h"
#include "report/words/text.h"

namespace oriel::coverage::test {
namespace {

using report::CoverageGroup;
using ::testing::HasSubstr;
using ::testing::Not;

std::string fitting(const std::string& text, size_t width) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(report::display_width(line), width) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
  EXPECT_THAT(text, Not(HasSubstr("\n\n\n")));
  return text;
}

std::string summary(const Coverage& coverage, CoverageGroup group, report::Options options = {}) {
  std::ostringstream out;
  report::write_coverage(coverage, group, options, out);
  return fitting(out.str(), options.width);
}

std::string source(const Coverage& coverage, const std::string& name) {
  std::ostringstream out;
  const Status status = report::write_covered_source(coverage, name, {}, out);
  EXPECT_TRUE(status) << name;
  return fitting(out.str(), 100);
}

TEST(CoverageText, BeginsWithWhatIsNotTested) {
  EXPECT_EQ(summary(shop(), CoverageGroup::kFiles),
            "Coverage of Shop\n"
            "lines 62.5 % (5 of 8), branches 50.0 % (1 of 2), methods 66.7 % (2 of 3)\n"
            "\n"
            "not run  lines  covered  branches  file\n"
            "      3      6   50.0 %       1/2  /src/Cart.cs\n"
            "             2    100 %            /src/Box & Co.cs\n"
            "\n"
            "lines  1 method never ran\n"
            "    2  Shop.Cart.Clear()  /src/Cart.cs:8\n");
}

TEST(CoverageText, GroupsByWhatIsAskedFor) {
  EXPECT_THAT(summary(shop(), CoverageGroup::kTypes), HasSubstr("50.0 %       1/2  Shop.Cart\n"));
  EXPECT_THAT(summary(shop(), CoverageGroup::kNamespaces), HasSubstr("      3      8   62.5 %       1/2  Shop\n"));
  EXPECT_THAT(summary(shop(), CoverageGroup::kAssemblies), HasSubstr("assembly\n      3      8   62.5 %"));
  EXPECT_FALSE(report::parse_coverage_group("folder"));
}

TEST(CoverageText, TestsBeginWithThoseThatAloneRunMost) {
  Coverage coverage = shop();
  coverage.tests.push_back({"Tests.PutsAgain", true, {{1, 4}}});
  EXPECT_THAT(summary(coverage, CoverageGroup::kTests),
              HasSubstr("lines  only it  3 tests\n"
                        "    2        2  Tests.Adds\n"
                        "    1           Tests.Puts\n"
                        "    1           Tests.PutsAgain  (in parallel with others)\n"));
}

std::string tests_of(const Coverage& coverage, const std::string& place) {
  const auto lines = report::lines_named(coverage, place);
  if (!lines) return lines.message();
  std::ostringstream out;
  report::write_tests_of(coverage, *lines, place, {}, out);
  return fitting(out.str(), 100);
}

TEST(CoverageText, TellsWhichTestsRunALine) {
  Coverage coverage = shop();
  coverage.tests.push_back({"Tests.All", false, {{0, 2}, {0, 3}, {0, 5}, {1, 4}, {1, 5}}});
  EXPECT_EQ(tests_of(coverage, "Cart.cs:3"),
            "Tests that run Cart.cs:3\n"
            "in total  2 of 3 tests\n"
            "       2  Tests.Adds\n"
            "       5  Tests.All\n"
            "\n"
            "Run them: dotnet test --filter 'FullyQualifiedName=Tests.Adds|FullyQualifiedName=Tests.All'\n");
  EXPECT_THAT(tests_of(coverage, "Cart.cs"), HasSubstr("of 6 lines  in total  2 of 3 tests\n"
                                                       "         3         5  Tests.All\n"
                                                       "         2         2  Tests.Adds\n"));
  EXPECT_THAT(tests_of(coverage, "Shelf.Put"), HasSubstr("2 of 3 tests"));
  EXPECT_EQ(tests_of(coverage, "Cart.cs:8"), "Tests that run Cart.cs:8\nNone.\n");
  EXPECT_EQ(tests_of(coverage, "Cart.cs:7"), "Cart.cs:7 has no code, or is not part of the coverage");
  EXPECT_EQ(tests_of(coverage, "Till"), "no file or method in the coverage has 'Till' in its name");
}

TEST(CoverageText, RowsHaveTheirLimit) {
  report::Options options;
  options.limit = 1;
  EXPECT_THAT(summary(shop(), CoverageGroup::kFiles, options), HasSubstr("/src/Cart.cs\n… and 1 more (--limit)\n"));
}

TEST(CoverageText, ProblemsAreToldBeforeFigures) {
  Coverage coverage = shop();
  coverage.problems = {"the PDB of Other.dll was not found"};
  EXPECT_THAT(summary(coverage, CoverageGroup::kFiles), HasSubstr("of 3)\nthe PDB of Other.dll was not found\n\nnot"));
}

TEST(CoverageText, AlmostAllIsNotAll) {
  EXPECT_EQ(report::covered_percent(99'999, 100'000), "100.0 %");
  EXPECT_EQ(report::covered_percent(100'000, 100'000), "100 %");
  EXPECT_EQ(report::covered_percent(0, 0), "");
}

TEST(CoverageText, UncoveredAreRangesOfLinesWithCode) {
  std::ostringstream out;
  report::write_uncovered(shop(), {}, out);
  EXPECT_EQ(fitting(out.str(), 100),
            "/src/Cart.cs\n    never ran: 4, 8-9\n    in part: 3\n\n/src/Box & Co.cs\n    in part: 5\n");
  Coverage all = shop();
  for (File& file : all.files) file.lines = {{1, 1, false, {}}};
  std::ostringstream none;
  report::write_uncovered(all, {}, none);
  EXPECT_EQ(none.str(), "Every line ran, and every branch was taken.\n");
}

TEST(CoverageText, SourceHasMarksAndSaysHowManyTestsRunIt) {
  Coverage without_tests = shop();
  without_tests.tests.clear();
  EXPECT_EQ(source(without_tests, "Cart.cs"),
            "/src/Cart.cs\n"
            "   count  branches  line\n"
            "                       1  class Cart {\n"
            "       3               2      void Add(string name) {\n"
            "~      3       1/2     3      if (name == \"</script>\")\n"
            "!      0               4        Count();\n"
            "       3               5    }\n"
            "!      0               8\n"
            "!      0               9\n");
  EXPECT_THAT(source(shop(false), "Box & Co.cs"),
              HasSubstr("ran  tests  branches  line  its source is not on this machine\n"));
  EXPECT_THAT(source(shop(), "Cart.cs"), HasSubstr("   count  tests  branches  line\n"
                                                   "                              1  class Cart {\n"
                                                   "       3      1               2      void Add"));
}

// A #line directive may give a line any number: a row for each line up to it would never end.
TEST(CoverageText, LinesBehindTheTextHaveRowsOnlyWhereTheyHaveCode) {
  Coverage coverage = shop();
  coverage.tests.clear();
  coverage.files[0].lines.push_back({16'707'564, 1, false, {}});
  coverage.files[0].lines.push_back({UINT32_MAX, 0, false, {}});
  const std::string text = source(coverage, "Cart.cs");
  EXPECT_THAT(text, HasSubstr("       3                     5    }\n"
                              "!      0                     8\n"
                              "!      0                     9\n"
                              "       1              16707564\n"
                              "!      0            4294967295\n"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 11);
  coverage.files[0].text.reset();
  EXPECT_EQ(std::ranges::count(source(coverage, "Cart.cs"), '\n'), 10) << "without its text";
}

TEST(CoverageText, ALineZeroIsNoLine) {
  Coverage coverage = shop();
  coverage.methods[0].lines.insert(coverage.methods[0].lines.begin(), {0, 0, 1});
  EXPECT_THAT(source(coverage, "Cart.Add"), HasSubstr("   1  class Cart {"));
}

TEST(CoverageText, SourceOfMethodsIsTheirs) {
  const std::string text = source(shop(), "Cart.Add");
  EXPECT_THAT(text, HasSubstr("Shop.Cart.Add(string)\n/src/Cart.cs\n"));
  EXPECT_THAT(text, Not(HasSubstr("class Cart")));
  std::ostringstream out;
  const Status unknown = report::write_covered_source(shop(), "Nobody", {}, out);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.message(), "no file or method in the coverage has 'Nobody' in its name");
  EXPECT_EQ(out.str(), "");
}

TEST(CoverageDiff, TellsFilesThatLostFirst) {
  const LineStates now = states_of(shop());
  LineStates before = now;
  before["/src/Cart.cs"][4] = true;
  before["/src/Box & Co.cs"][4] = false;
  std::ostringstream out;
  report::write_coverage_changes(before, now, {}, out);
  EXPECT_EQ(fitting(out.str(), 100),
            "lines 62.5 % (5 of 8), before 62.5 % (5 of 8)\n"
            "\n"
            "not run  lines  before     now  file\n"
            "     +1         66.7 %  50.0 %  /src/Cart.cs\n"
            "     -1         50.0 %   100 %  /src/Box & Co.cs\n");
  std::ostringstream same;
  report::write_coverage_changes(now, now, {}, same);
  EXPECT_THAT(same.str(), HasSubstr("No file's coverage changed.\n"));
}

TEST(CoverageDiff, TellsChangedLinesThatDidNotRun) {
  const std::string diff =
      "diff --git a/src/Cart.cs b/src/Cart.cs\n--- a/src/Cart.cs\n+++ b/src/Cart.cs\n@@ -1,0 +3,2 @@\n+if\n+++ b/x\n"
      "@@ -9 +8,2 @@\n-x\n+y\n+z\n";
  std::ostringstream out;
  const std::vector<TouchedFile> files = touched(changed_lines(diff), states_of(shop()));
  report::write_touched(files, {}, out);
  EXPECT_EQ(fitting(out.str(), 100),
            "1 of 4 changed lines with code ran (25.0 %)\n\n/src/Cart.cs\n    never ran: 4, 8-9\n");
  EXPECT_EQ(report::totals_of(files).lines, 4u);
  std::ostringstream none;
  report::write_touched({}, {}, none);
  EXPECT_EQ(none.str(), "None of the changed lines has code that coverage counts.\n");
}

}  // namespace
}  // namespace oriel::coverage::test
