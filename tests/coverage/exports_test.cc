// Coverage as files for other tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "coverage/cases.h"
#include "coverage/compare.h"
#include "coverage/shop.h"
#include "exports/coverage_export.h"

namespace oriel::coverage::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

std::string written(const char* format, const Coverage& coverage) {
  std::ostringstream out;
  (*exports::find_coverage_export(format))->write(coverage, out);
  return out.str();
}

size_t times(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(CoverageFormats, NamesLeadBackToTheirFormat) {
  for (const exports::CoverageExport* format : exports::all_coverage_exports())
    EXPECT_EQ(*exports::find_coverage_export(format->name), format);
  const auto unknown = exports::find_coverage_export("opencover");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.message(),
            "there is no format \"opencover\" of coverage; choose one of cobertura, lcov, coverlet, json, html");
}

TEST(Lcov, HasEachFileWithItsFunctionsBranchesAndLines) {
  EXPECT_EQ(written("lcov", shop()),
            "SF:/src/Cart.cs\nFN:2,Shop.Cart.Add(string)\nFN:8,Shop.Cart.Clear()\nFNDA:3,Shop.Cart.Add(string)\n"
            "FNDA:0,Shop.Cart.Clear()\nFNF:2\nFNH:1\nBRDA:3,0,0,0\nBRDA:3,0,1,3\nBRF:2\nBRH:1\n"
            "DA:2,3\nDA:3,3\nDA:4,0\nDA:5,3\nDA:8,0\nDA:9,0\nLF:6\nLH:3\nend_of_record\n"
            "SF:/src/Box & Co.cs\nFN:4,Shop.Box<T>.Shelf.Put(T[])\nFNDA:7,Shop.Box<T>.Shelf.Put(T[])\nFNF:1\nFNH:1\n"
            "BRF:0\nBRH:0\nDA:4,7\nDA:5,7\nLF:2\nLH:2\nend_of_record\n");
}

TEST(Cobertura, HasPackagesClassesMethodsAndConditions) {
  const std::string xml = written("cobertura", shop());
  EXPECT_THAT(xml, HasSubstr(R"(lines-covered="5" lines-valid="8" branches-covered="1" branches-valid="2">)"));
  EXPECT_THAT(xml, HasSubstr(R"(<package name="Shop" line-rate="0.625" branch-rate="0.5" complexity="4">)"));
  EXPECT_THAT(xml, HasSubstr(R"(<class name="Shop.Cart" filename="/src/Cart.cs")"));
  EXPECT_THAT(xml, HasSubstr(R"x(<method name="Add" signature="(string)" line-rate="0.75" branch-rate="0.5")x"));
  EXPECT_THAT(xml, HasSubstr(R"x(<line number="3" hits="3" branch="true" condition-coverage="50% (1/2)">)x"));
  EXPECT_THAT(xml, HasSubstr(R"(<condition number="0" type="jump" coverage="50%" />)"));
  // Once of its method, once of its class.
  EXPECT_EQ(times(xml, "<line number=\"8\" hits=\"0\" branch=\"false\" />"), 2u);
}

TEST(Cobertura, NestedTypesArePartsOfWhatTheyAreIn) {
  const std::string xml = written("cobertura", shop());
  EXPECT_THAT(xml, HasSubstr(R"(<class name="Shop.Box&lt;T&gt;/Shelf" filename="/src/Box &amp; Co.cs")"));
}

TEST(Coverlet, HasModulesFilesClassesAndMethods) {
  const json found = json::parse(written("coverlet", shop()));
  const json expected = json::parse(R"x({"Shop.dll": {
    "/src/Cart.cs": {"Shop.Cart": {
      "System.Void Shop.Cart::Add(System.String)": {"Lines": {"2": 3, "3": 3, "4": 0, "5": 3}, "Branches": [
        {"Line": 3, "Offset": 8, "EndOffset": 8, "Path": 0, "Ordinal": 0, "Hits": 0},
        {"Line": 3, "Offset": 8, "EndOffset": 8, "Path": 1, "Ordinal": 1, "Hits": 3}]},
      "System.Void Shop.Cart::Clear()": {"Lines": {"8": 0, "9": 0}, "Branches": []}}},
    "/src/Box & Co.cs": {"Shop.Box`1/Shelf": {
      "System.Void Shop.Box`1/Shelf::Put(T[])": {"Lines": {"4": 7, "5": 7}, "Branches": []}}}}})x");
  EXPECT_EQ(found, expected);
}

TEST(CoverageJson, HasAllThatIsKnownAndIsReadBack) {
  const Coverage coverage = shop();
  const std::string text = written("json", coverage);
  const json found = json::parse(text);
  EXPECT_EQ(found["mode"], "count");
  EXPECT_EQ(found["totals"]["linesCovered"], 5);
  EXPECT_EQ(found["files"][0]["lines"][1], json::parse("[3, 3, 0, 1, 2]"));
  EXPECT_EQ(found["types"].size(), 2u);
  EXPECT_EQ(found["tests"][1],
            json::parse(R"({"name": "Tests.Puts", "shared": false, "lines": [[1, 4]], "branches": []})"));
  const Result<LineStates> states = read_states(text);
  ASSERT_TRUE(states) << states.message();
  EXPECT_EQ(*states, states_of(coverage));
}

TEST(CoveragePage, HasItsDataAndNoScriptOfTheSources) {
  const std::string page = written("html", shop());
  std::smatch data;
  ASSERT_TRUE(std::regex_search(page, data, std::regex(R"re(id="data">(.*))re")));
  const std::string text = data[1];
  const json found = json::parse(text.substr(0, text.find("</script>")));
  EXPECT_EQ(found["totals"], json::parse("[8, 5, 2, 1, 3, 2]"));
  EXPECT_EQ(found["files"][0]["lines"][0], json::parse("[2, 3, 0, 0, 0, 0]")) << "with the test that ran it";
  EXPECT_THAT(found["files"][0]["text"].get<std::string>(), HasSubstr("if (name == \"</script>\")"));
  EXPECT_EQ(found["files"][1]["note"], "Its source is not on this machine.");
  EXPECT_EQ(found["types"][0]["name"], "Box<T>.Shelf");
  EXPECT_EQ(found["types"][0]["before"], "Shop.");
  EXPECT_EQ(times(page, "</script>"), 2u) << "its own";
  EXPECT_THAT(page, Not(HasSubstr("src=")));
}

TEST(CoverageExports, OfNothingAreWhole) {
  EXPECT_EQ(written("lcov", {}), "");
  EXPECT_EQ(json::parse(written("coverlet", {})), json::object());
  EXPECT_EQ(json::parse(written("json", {}))["files"], json::array());
  EXPECT_THAT(written("cobertura", {}), HasSubstr("<packages>\n  </packages>"));
  EXPECT_THAT(written("html", {}), HasSubstr("\"files\":[]"));
}

// The formats tell the same of the hard cases.
TEST(CoverageExports, AgreeOnEachLine) {
  if (!has_cases()) GTEST_SKIP() << "dotnet is not installed";
  const Coverage coverage = cases_covered(all_ran(2));
  const Totals totals = totals_of(coverage);
  EXPECT_EQ(times(written("lcov", coverage), "\nDA:"), totals.lines);
  EXPECT_EQ(times(written("lcov", coverage), "\nBRDA:"), totals.branches);
  std::set<std::pair<std::string, std::string>> lines;
  size_t arms = 0;
  for (const json& files : json::parse(written("coverlet", coverage)))
    for (const auto& [path, types] : files.items())
      for (const json& methods : types)
        for (const json& method : methods) {
          for (const auto& [line, count] : method["Lines"].items()) lines.insert({path, line});
          arms += method["Branches"].size();
        }
  EXPECT_EQ(lines.size(), totals.lines);
  EXPECT_EQ(arms, totals.branches);
}

}  // namespace
}  // namespace oriel::coverage::test
