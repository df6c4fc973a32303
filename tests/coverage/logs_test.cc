// From logs to coverage.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "assembly/assembly.h"
#include "coverage/cases.h"
#include "coverage/counted.h"
#include "log/writer.h"
#include "profile/build/coverage_sums.h"
#include "profile/profile.h"

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

  profile::Coverage all(uint64_t count) const {
    const CountedAssembly counted = all_ran(count);
    const auto assembly = assembly::Assembly::open(counted.path);
    profile::Coverage made;
    made.counts = true;
    const auto directory = assembly->debug_directory();
    made.images = {{counted.name, counted.path, assembly->mvid(), directory->pdb_id, directory->pdb_path}};
    for (const auto& [row, points] : counted.methods) {
      profile::CoveredMethod& method = made.methods.emplace_back(profile::CoveredMethod{0, row, "", {}});
      for (const Counted& point : points)
        method.points.push_back({point.is_outcome, point.il, point.which, point.count});
    }
    return made;
  }

  std::string written(const std::string& name, const profile::Coverage& coverage) const {
    const std::string path = folder / name;
    const auto writer = log::Writer::create(path);
    EXPECT_TRUE(writer);
    (*writer)->intro({});
    for (const log::Coverage& block : profile::blocks_of(coverage)) (*writer)->coverage(block);
    (*writer)->end({});
    EXPECT_TRUE((*writer)->flush({}));
    return path;
  }

  fs::path folder;
};

TEST_F(Logs, OfSeveralProcessesAddUpExactly) {
  profile::CoverageSums sums;
  for (uint64_t i = 1; i <= 8; ++i) {
    const auto profile = profile::load(written("host-" + std::to_string(i) + ".oriel", all(i)));
    ASSERT_TRUE(profile) << profile.message();
    sums.add(profile->coverage);
  }
  Choice choice;
  const Coverage coverage = coverage_of(sums.finish(), choice);
  ASSERT_GT(totals_of(coverage).lines, 300u);
  for (const File& file : coverage.files)
    for (const FileLine& line : file.lines) EXPECT_EQ(line.count, 36u) << file.path << ":" << line.number;
}

TEST_F(Logs, KeepTestsApartAndTheWholeWhole) {
  profile::Coverage counted = all(5);
  counted.tests = {{"First", counted.methods}, {"Second", counted.methods}};
  for (profile::CoveredMethod& method : counted.tests[0].methods)
    for (profile::CoverageHit& point : method.points) point.count = 2;
  for (profile::CoveredMethod& method : counted.tests[1].methods)
    for (profile::CoverageHit& point : method.points) point.count = 1;
  const auto profile = profile::load(written("tests.oriel", counted));
  ASSERT_TRUE(profile) << profile.message();
  ASSERT_EQ(profile->coverage.tests.size(), 2u);
  EXPECT_EQ(profile->coverage.tests[0].methods[0].points[0].count, 2u);
  for (const profile::CoveredMethod& method : profile->coverage.methods)
    for (const profile::CoverageHit& point : method.points) ASSERT_EQ(point.count, 5u);
}

TEST_F(Logs, WhatStandsBesideAndWasNotLoadedDidNotRun) {
  profile::Coverage counted;
  counted.images = {
      {"Program.dll", (fs::path(cases().path).parent_path() / "Program.dll"), std::string(32, 'a'), "", ""}};
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
