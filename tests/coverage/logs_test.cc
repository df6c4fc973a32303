// From logs to coverage.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "assembly/assembly.h"
#include "coverage/build.h"
#include "coverage/cases.h"
#include "log/writer.h"
#include "profile/build/coverage_blocks.h"
#include "profile/merge.h"

namespace oriel::coverage::test {
namespace {

namespace fs = std::filesystem;

struct Logs : ::testing::Test {
  void SetUp() override {
    if (!has_cases()) GTEST_SKIP() << "dotnet is not installed";
    folder = fs::temp_directory_path() / ("oriel-coverage-logs-" + std::to_string(getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  profile::Tables all(uint64_t count) const {
    profile::Tables made = all_ran(count);
    const auto assembly = assembly::Assembly::open(cases_path());
    const auto directory = assembly->debug_directory();
    made.covered_images = {{"covered.dll", cases_path(), assembly->mvid(), directory->pdb_id, directory->pdb_path}};
    return made;
  }

  std::string written(const std::string& name, const profile::Tables& tables) const {
    const std::string path = folder / name;
    const auto writer = log::Writer::create(path);
    EXPECT_TRUE(writer);
    (*writer)->intro({});
    for (const log::Coverage& block : profile::blocks_of(tables)) (*writer)->coverage(block);
    (*writer)->end({});
    EXPECT_TRUE((*writer)->flush({}));
    return path;
  }

  fs::path folder;
};

TEST_F(Logs, OfSeveralProcessesAddUpExactly) {
  std::vector<profile::Profile> parts;
  for (uint64_t i = 1; i <= 8; ++i) {
    auto profile = profile::load(written("host-" + std::to_string(i) + ".oriel", all(i)));
    ASSERT_TRUE(profile) << profile.message();
    parts.push_back(std::move(*profile));
  }
  Choice choice;
  const Coverage coverage = coverage_of(profile::merge(std::move(parts)), choice);
  ASSERT_GT(totals_of(coverage).lines, 300u);
  for (const File& file : coverage.files)
    for (const FileLine& line : file.lines) EXPECT_EQ(line.count, 36u) << file.path << ":" << line.number;
}

TEST_F(Logs, KeepTestsApartAndTheWholeWhole) {
  profile::Tables counted = all(5);
  counted.covered_tests = {{"First"}, {"Second"}};
  for (uint32_t test = 0; test < 2; ++test) {
    for (uint32_t i = 0; i < counted.covered_methods.size(); ++i) {
      counted.covered_by_tests.push_back({test, i, counted.covered_methods[i].hits});
      for (profile::CoverageHit& hit : counted.covered_by_tests.back().hits) hit.count = 2 - test;
    }
  }
  const auto profile = profile::load(written("tests.oriel", counted));
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->covered_tests.size(), 2u);
  EXPECT_EQ(profile->covered_by_tests.size(), counted.covered_by_tests.size());
  EXPECT_EQ(profile->covered_by_tests[0].hits[0].count, 2u);
  EXPECT_EQ(profile->covered_by_tests.back().hits[0].count, 1u);
  for (const profile::CoveredMethod& method : profile->covered_methods)
    for (const profile::CoverageHit& hit : method.hits) ASSERT_EQ(hit.count, 5u);
}

TEST_F(Logs, WhatStandsBesideAndWasNotLoadedDidNotRun) {
  profile::Tables counted;
  counted.covered_images = {
      {"Program.dll", fs::path(cases_path()).parent_path() / "Program.dll", std::string(32, 'a'), "", ""}};
  Choice choice;
  const Coverage coverage = coverage_of(counted, choice);
  ASSERT_EQ(coverage.assemblies.size(), 1u);
  EXPECT_EQ(coverage.assemblies[0].name, "covered");
  EXPECT_FALSE(coverage.assemblies[0].loaded);
  EXPECT_GT(totals_of(coverage).lines, 300u);
  EXPECT_EQ(totals_of(coverage).lines_hit, 0u);
  EXPECT_EQ(coverage.problems.at(0), "nothing of Program.dll is shown: it is not on this machine");
}

}  // namespace
}  // namespace oriel::coverage::test
