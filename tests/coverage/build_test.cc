// What counts as a line and as a branch, on the hard cases: their sources say on each line with conditions how many
// ways there are.
#include "coverage/build.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "assembly/assembly.h"
#include "coverage/builds.h"
#include "coverage/cases.h"
#include "coverage/counted.h"
#include "coverage/sources.h"
#include "paths.h"
#include "pdb/find.h"
#include "profile/table/hits.h"

namespace oriel::coverage::test {
namespace {

namespace fs = std::filesystem;

struct OfCases : testing::Test {
  void SetUp() override {
    if (!has_cases()) GTEST_SKIP() << "dotnet is not installed";
  }
};

// "// 4 ways"
std::map<uint32_t, uint64_t> told_ways(const std::string& file) {
  std::map<uint32_t, uint64_t> told;
  uint32_t number = 0;
  for (const std::string& line : source_lines(file)) {
    ++number;
    const size_t at = line.rfind("  // ");
    if (at != std::string::npos && line.ends_with(" ways")) told[number] = std::stoull(line.substr(at + 5));
  }
  return told;
}

TEST_F(OfCases, WaysAreThoseThatTheSourcesTell) {
  const Coverage coverage = cases_covered(cases());
  size_t told = 0;
  for (const auto& entry : fs::directory_iterator(test_paths::cases)) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".cs") || name == "Lined.cs") continue;
    std::map<uint32_t, uint64_t> found;
    for (const FileLine& line : file_of(coverage, name).lines)
      if (const uint64_t ways = ways_of(coverage, line.branches).all; ways > 0) found[line.number] = ways;
    EXPECT_EQ(found, told_ways(name)) << name;
    told += found.size();
  }
  EXPECT_GT(told, 50u);
}

TEST_F(OfCases, WhatIsExcludedIsNotThere) {
  const Coverage coverage = cases_covered(cases());
  std::set<std::string> methods;
  for (const Method& method : coverage.methods) methods.insert(coverage.types[method.type].name + "." + method.name);
  for (const char* name : {"Cases.PartlyExcluded.Counted()", "Cases.PartlyExcluded.Generated()",
                           "Cases.PartlyExcluded.Made()", "Cases.MadeType.Value()", "Cases.GeneratedType.Value()",
                           "Cases.Async.Lambda.lambda#0", "Cases.Async.Lambda.Local", "Cases.Tree.InOrder()"})
    EXPECT_TRUE(std::ranges::any_of(methods, [&](const std::string& method) { return method.starts_with(name); }))
        << name;
  for (const char* part : {"ExcludedType", "PartlyExcluded.Method", "PartlyExcluded.Later", "PartlyExcluded.Several",
                           "get_Property", "get_OnGetter", "Hidden", "MoveNext", "EqualityContract", "<"})
    EXPECT_TRUE(std::ranges::none_of(methods, [&](const std::string& method) {
      return method.find(part) != std::string::npos && method.find("Cell<T>") == std::string::npos &&
             method.find("Name<U>") == std::string::npos && method.find("Func<") == std::string::npos &&
             method.find("IEnumerable<") == std::string::npos && method.find("Task<") == std::string::npos;
    })) << part;
}

TEST_F(OfCases, AttributesFilesAndNamesMayBeLeftOutToo) {
  Choice choice;
  choice.attributes = {"GeneratedCode", "Obsolete"};
  choice.files = {"Switches.cs"};
  choice.methods = std::move(*MethodPatterns::parse("!Cases.Async"));
  const Coverage coverage = cases_covered(cases(), std::move(choice));
  EXPECT_TRUE(file_of(coverage, "Switches.cs").lines.empty());
  EXPECT_TRUE(file_of(coverage, "Async.cs").lines.empty());
  const File& excluded = file_of(coverage, "Excluded.cs");
  EXPECT_EQ(line_of(excluded, line_with("Excluded.cs", "int Generated()")), nullptr);
  EXPECT_EQ(line_of(excluded, line_with("Excluded.cs", "int Old()")), nullptr);
  EXPECT_NE(line_of(excluded, line_with("Excluded.cs", "int Counted()")), nullptr);
}

TEST_F(OfCases, LinesThatAStatementReachesOverAreTold) {
  const Coverage coverage = cases_covered(all_ran(3));
  const File& functions = file_of(coverage, "Functions.cs");
  for (const char* text : {"return values", ".OrderBy(value =>", ".ToList();"}) {
    const FileLine* line = line_of(functions, line_with("Functions.cs", text));
    ASSERT_NE(line, nullptr) << text;
    EXPECT_EQ(line->count, 3u);
  }
}

TEST_F(OfCases, PartsOfATypeAndMovedLinesStandInTheirFiles) {
  const Coverage coverage = cases_covered(all_ran(1));
  EXPECT_NE(line_of(file_of(coverage, "Split.One.cs"), line_with("Split.One.cs", "seed = 3")), nullptr);
  EXPECT_NE(line_of(file_of(coverage, "Split.Two.cs"), line_with("Split.Two.cs", "name = \"split\"")), nullptr);
  std::vector<uint32_t> numbers;
  for (const FileLine& line : file_of(coverage, "Template.txt").lines) numbers.push_back(line.number);
  EXPECT_EQ(numbers, (std::vector<uint32_t>{100, 101, 102}));
}

TEST_F(OfCases, NothingRanOrEverythingDid) {
  const Totals none = totals_of(cases_covered(cases())), all = totals_of(cases_covered(all_ran(1)));
  EXPECT_EQ(none.lines_hit + none.branches_hit + none.methods_hit, 0u);
  EXPECT_EQ(none.lines, all.lines);
  EXPECT_EQ(all.lines_hit, all.lines);
  EXPECT_EQ(all.branches_hit, all.branches);
  EXPECT_EQ(all.methods_hit, all.methods);
  EXPECT_GT(all.lines, 250u);
}

TEST_F(OfCases, TestsHaveTheLinesThatTheyRan) {
  profile::Tables counted = all_ran(1);
  counted.covered_tests = {{"Tests.First"}, {"Tests.First\nTests.Second"}};
  for (uint32_t test = 0; test < 2; ++test) {
    for (uint32_t i = 0; i < counted.covered_methods.size(); ++i) {
      const profile::CoveredMethod& method = counted.covered_methods[i];
      if (test == 0 || method.row % 2 == 0) counted.covered_by_tests.push_back({test, i, method.hits});
    }
  }
  const Coverage coverage = cases_covered(counted);
  ASSERT_EQ(coverage.tests.size(), 2u);
  EXPECT_EQ(coverage.tests[0].name, "Tests.First");
  EXPECT_EQ(coverage.tests[0].lines.size(), totals_of(coverage).lines);
  EXPECT_EQ(coverage.tests[1].name, "Tests.Second");
  EXPECT_LT(coverage.tests[1].lines.size(), totals_of(coverage).lines);
  EXPECT_TRUE(coverage.tests[0].shared && coverage.tests[1].shared);
}

// A test's part names what ran alone.
TEST_F(OfCases, WhatStandsBehindABranchIsOnlyTheTestsThatWentThere) {
  profile::Tables counted = all_ran(1);
  const auto assembly = assembly::Assembly::open(cases_path());
  const auto pdb = pdb::find_pdb({assembly->debug_directory()->pdb_id, "", cases_path()}, {});
  ASSERT_TRUE(pdb);
  counted.covered_tests = {{"Tests.First"}};
  for (uint32_t i = 0; i < counted.covered_methods.size(); ++i) {
    profile::CoveredMethod& method = counted.covered_methods[i];
    std::vector<profile::CoverageHit> of_test = {{false, 0, 0, 1}};
    // Of each condition it went the first way.
    std::set<uint32_t> conditions;
    for (const profile::CoverageHit& hit : method.hits)
      if (hit.is_outcome && conditions.insert(hit.il).second) of_test.push_back(hit);
    for (const pdb::SequencePoint& place : pdb->points(method.row))
      if (place.il != 0) method.hits.push_back({false, place.il, 0, 1});
    table::unite_hits(method.hits);
    counted.covered_by_tests.push_back({0, i, of_test});
  }
  const Coverage coverage = cases_covered(counted);
  const std::vector<std::pair<uint32_t, uint32_t>>& lines = coverage.tests.at(0).lines;
  const auto runs = [&](const std::string& name, const std::string& text) {
    const auto file = static_cast<uint32_t>(&file_of(coverage, name) - coverage.files.data());
    return std::ranges::binary_search(lines, std::pair(file, line_with(name, text)));
  };
  EXPECT_TRUE(runs("Conditions.cs", "string Chosen"));
  EXPECT_FALSE(runs("Conditions.cs", "return \"negative\""));
  EXPECT_FALSE(runs("Conditions.cs", "sum -= 10"));
  const uint32_t chosen = line_with("Conditions.cs", "string Chosen");
  const auto branch = std::ranges::find_if(coverage.tests.at(0).branches, [&](const Branch& one) {
    return coverage.files[one.file].path.ends_with("Conditions.cs") && one.line == chosen;
  });
  ASSERT_NE(branch, coverage.tests.at(0).branches.end());
  EXPECT_EQ(std::ranges::count(branch->arms, 0u), 1);
  EXPECT_EQ(branch->arms.size(), 2u);
}

TEST(Counted, OfATestHasThePlacesOfTheWhole) {
  profile::Tables counted;
  counted.covered_images = {{"Other.dll", "", "", "", ""}, {"Shop.dll", "", "", "", ""}};
  counted.covered_methods = {{0, 7, "", {{false, 0, 0, 5}}},
                             {1, 7, "", {{false, 0, 0, 4}, {true, 4, 0, 1}, {false, 6, 0, 1}, {false, 9, 0, 4}}}};
  counted.covered_tests = {{"First"}, {"Second"}};
  counted.covered_by_tests = {
      {0, 1, {{false, 0, 0, 1}}}, {1, 0, {{false, 0, 0, 5}}}, {1, 1, {{false, 0, 0, 2}, {false, 9, 0, 2}}}};
  const CountedCode code(counted);
  EXPECT_EQ(code.of_method(1, 7).at(6), 1u);
  EXPECT_EQ(code.of_method(1, 7).of({4, 0}), 1u);
  EXPECT_EQ(code.of_method(0, 7).at(6), 5u);
  EXPECT_EQ(code.of_method(1, 8).at(0), 0u);
  EXPECT_EQ(code.of_method(table::kNone, 7).at(0), 0u);
  EXPECT_TRUE(code.of_tests(1, 8).empty());
  const auto tests = code.of_tests(1, 7);
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(tests[0].name, "First");
  EXPECT_EQ(tests[1].name, "Second");
  const Counts& counts = tests[1].counts;
  EXPECT_EQ(counts.at(3), 2u);
  EXPECT_EQ(counts.at(6), 0u);
  EXPECT_EQ(counts.at(8), 0u);
  EXPECT_EQ(counts.at(9), 2u);
  EXPECT_EQ(counts.of({4, 0}), 0u);
}

// "// line 2", "// none"
struct Mark {
  bool counts = false;
  std::optional<uint64_t> ways;
};
std::optional<Mark> mark_of(const std::string& line) {
  const size_t at = line.rfind("// ");
  if (at == std::string::npos || at == 0) return std::nullopt;
  const std::string text = line.substr(at + 3);
  if (text == "none") return Mark{};
  if (!text.starts_with("line")) return std::nullopt;
  return Mark{true, text.size() > 5 ? std::optional(std::stoull(text.substr(5))) : std::nullopt};
}

Coverage marked(const std::string& name) {
  const AssemblyFile file{name + ".dll", fs::path(test_paths::targets) / name / (name + ".dll"), "", "", 0};
  Choice choice;
  choice.files.push_back("*.g.cs");
  choice.files.push_back("*AssemblyInfo.cs");
  return build({}, {file}, choice, {});
}

TEST_F(OfCases, LinesCountAsTheirMarksSayHoweverTheyAreCompiled) {
  for (const char* name : {"marked", "marked_optimized"}) {
    const Coverage coverage = marked(name);
    const File& file = file_of(coverage, "Marked.cs");
    uint32_t number = 0;
    std::ifstream in(fs::path(test_paths::marked) / "Marked.cs");
    for (std::string text; std::getline(in, text);) {
      ++number;
      const std::optional<Mark> mark = mark_of(text);
      if (!mark) continue;
      const FileLine* const line = line_of(file, number);
      EXPECT_EQ(line != nullptr, mark->counts) << name << ": " << text;
      if (line && mark->ways) {
        EXPECT_EQ(ways_of(coverage, line->branches).all, *mark->ways) << name << ": " << text;
      }
    }
    EXPECT_GT(number, 100u);
  }
}

TEST_F(OfCases, WhatNobodyWroteIsNoMethod) {
  const Coverage coverage = marked("marked");
  std::set<std::string> methods;
  for (const Method& method : coverage.methods) methods.insert(coverage.types[method.type].name + "." + method.name);
  for (const char* name : {"Marked.Pair..ctor(int, int)", "Marked.Sized..ctor(int, int)", "Marked.Several.get_Third()",
                           "Marked.Begun..ctor()"})
    EXPECT_TRUE(methods.contains(name)) << name;
  for (const char* name : {"Marked.Pair.get_First()", "Marked.Pair.set_Second(int)", "Marked.Several.get_First()",
                           "Marked.Sized.get_Width()", "Marked.Nothing..ctor()"})
    EXPECT_FALSE(methods.contains(name)) << name;
}

TEST_F(OfCases, WithoutAPdbItsMethodsAreTold) {
  const fs::path folder = fs::temp_directory_path() / ("oriel-coverage-" + std::to_string(getpid()));
  fs::create_directories(folder);
  fs::copy_file(cases_path(), folder / "covered.dll");
  profile::Tables counted = all_ran(1);
  const std::string path = folder / "covered.dll";
  counted.covered_images[0].path = path;
  // Where it was compiled its PDB is still to be found, so that this one is another build's.
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  bytes[bytes.find("RSDS") + 4] ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
  const Coverage alone = cases_covered(counted);
  ASSERT_EQ(alone.problems.size(), 1u);
  EXPECT_NE(alone.problems[0].find("the PDB of covered.dll was not found"), std::string::npos) << alone.problems[0];
  EXPECT_EQ(totals_of(alone).lines, 0u);
  EXPECT_GT(totals_of(alone).methods, 50u);
  fs::copy_file(fs::path(cases_path()).replace_extension("pdb"), folder / "covered.pdb");
  EXPECT_NE(cases_covered(counted).problems.at(0).find("covered.pdb is of another build"), std::string::npos);
  fs::remove_all(folder);
}

TEST(JoinedLines, TheShortestStatementTells) {
  Coverage coverage;
  coverage.files.resize(1);
  coverage.methods.resize(2);
  coverage.methods[0].lines = {{0, 1, 1}, {0, 2, 1, false, 4}, {0, 3, 1, false, 4}, {0, 4, 1, false, 4}};
  coverage.methods[1].lines = {{0, 2, 0}, {0, 3, 0, false, 1}};  // a lambda that never ran, in it
  join_lines(coverage);
  std::vector<uint64_t> counts;
  for (const FileLine& line : coverage.files[0].lines) counts.push_back(line.count);
  EXPECT_EQ(counts, (std::vector<uint64_t>{1, 0, 0, 1}));
  EXPECT_EQ(coverage.methods[0].lines.size(), 2u);
  EXPECT_EQ(coverage.methods[1].lines.size(), 2u);
}

// Two builds of one source, which has a line of its own in each.
Coverage two_builds() {
  Coverage coverage;
  coverage.counts = true;
  coverage.assemblies = {{"Shop", "/net9/Shop.dll", true, true},
                         {"Shop", "/net10/Shop.dll", true, true},
                         {"Shop", "/other/Shop.dll", true, true}};
  coverage.types = {{"Shop.Cart", "Shop", 0}, {"Shop.Cart", "Shop", 1}, {"Shop.Cart", "Shop", 2}};
  coverage.files.resize(2);
  const auto method = [](uint32_t type, const char* name, const char* raw, std::vector<Line> lines) {
    return Method{type, 1, name, raw, "Shop.Cart", "System.Void", "", lines[0].count, std::move(lines), {}};
  };
  coverage.methods = {method(0, "Add()", "Add", {{0, 2, 1}, {0, 3, 1, true, 0, {1, 0}}, {0, 4, 1}}),
                      method(0, "Add.lambda#0()", "<Add>b__0_0", {{0, 8, 1}}),
                      method(1, "Add()", "Add", {{0, 2, 2}, {0, 3, 2, true, 0, {0, 2}}, {0, 5, 0}}),
                      method(1, "Add.lambda#1()", "<Add>b__1_1", {{0, 8, 0}}),
                      method(1, "Only()", "Only", {{0, 9, 0}}),
                      method(2, "Add()", "Add", {{1, 2, 7}})};
  coverage.methods[0].branches = {{0, 2, 4, {1, 0}}};
  coverage.methods[2].branches = {{0, 2, 6, {0, 2}}, {0, 5, 9, {0, 0}}};
  return coverage;
}

TEST(Builds, OfOneSourceAreOne) {
  Coverage coverage = two_builds();
  EXPECT_EQ(join_builds(coverage), (std::vector<uint32_t>{0, 1, 0, 1, 2, 3}));
  EXPECT_EQ(coverage.assemblies.size(), 2u) << "one has other sources";
  EXPECT_EQ(coverage.types.size(), 2u);
  ASSERT_EQ(coverage.methods.size(), 4u);
  const Method& add = coverage.methods[0];
  EXPECT_EQ(add.count, 3u);
  ASSERT_EQ(add.lines.size(), 4u);
  EXPECT_FALSE(add.lines[1].partly) << "each of its statements ran in one of the builds";
  join_lines(coverage);
  const Totals totals = totals_of(coverage), of_file = totals_of_file(coverage, 0);
  EXPECT_EQ(totals.methods, 4u);
  EXPECT_EQ(totals.methods_hit, 3u);
  EXPECT_EQ(totals.branches, 4u);
  EXPECT_EQ(totals.branches_hit, 2u);
  EXPECT_EQ(of_file.lines, 6u);
  EXPECT_EQ(of_file.branches, 4u);
}

TEST(Sources, ThatMovedAreSaidOnce) {
  Coverage coverage;
  coverage.files.resize(3);
  for (size_t i = 0; i < 3; ++i) {
    coverage.files[i].path = "/nowhere/" + std::to_string(i) + ".cs";
    coverage.files[i].lines = {{1, 1, false, {}}};
  }
  coverage.files[2].text = "as a PDB has it";
  find_sources(coverage);
  EXPECT_EQ(coverage.problems,
            std::vector<std::string>{
                "2 source files are not on this machine, so marks are shown without text: /nowhere/0.cs and more"});
}

TEST(Build, WhatIsNotThereIsSaid) {
  const AssemblyFile file{"Shop.dll", "/nowhere/Shop.dll", "", "", 0};
  const Coverage coverage = build({}, {file}, {}, {});
  EXPECT_EQ(coverage.problems, std::vector<std::string>{"nothing of Shop.dll is shown: it is not on this machine"});
  EXPECT_TRUE(coverage.methods.empty());
}

}  // namespace
}  // namespace oriel::coverage::test
