#include "report/diff.h"

#include <gmock/gmock.h>

#include <sstream>

#include "profile/merge.h"
#include "profile/shop/shop_log.h"
#include "report/report_text.h"

namespace oriel::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The shop with each sample that many times.
profile::Profile busy_shop(uint64_t times) {
  profile::Profile shop = oriel::testing::shop_profile();
  for (uint64_t i = 1, count = shop.samples.size(); i < times; ++i)
    for (uint64_t s = 0; s < count; ++s) shop.samples.push_back(shop.samples[s]);
  return shop;
}

std::string diff(const profile::Profile& before, const profile::Profile& after, Options options = {}) {
  std::ostringstream out;
  const auto side = [](const profile::Profile& run, const char* file) {
    DiffSide result;
    Options no_lines;
    no_lines.lines = false;
    add_run(run, no_lines, result);
    result.files = {file};
    return result;
  };
  const DiffSide one = side(before, "a.oriel"), other = side(after, "b.oriel");
  EXPECT_TRUE(write_diff(one, other, options, out));
  std::istringstream lines(options.json || options.color ? "" : out.str());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), options.width) << line;
  return out.str();
}

TEST(DiffReport, OfALogWithItselfNamesNoMethod) {
  const std::string text = diff(busy_shop(1), busy_shop(1));
  EXPECT_THAT(text, HasSubstr("Before  a.oriel"));
  EXPECT_THAT(text, HasSubstr("no significant change"));
  EXPECT_THAT(text, Not(HasSubstr("AddAsync")));
}

TEST(DiffReport, WhatTakesMoreIsNamedWithTheNoise) {
  const std::string text = diff(busy_shop(10), busy_shop(40));
  EXPECT_THAT(text, HasSubstr("AddAsync"));
  EXPECT_THAT(text, HasSubstr("+300.0 %"));
  EXPECT_THAT(text, HasSubstr("±"));
}

TEST(DiffReport, FitsEveryWidthAndHasColorsOnlyIfAsked) {
  Options options;
  for (const unsigned width : {80u, 100u, 140u}) {
    options.width = width;
    EXPECT_THAT(diff(busy_shop(10), busy_shop(40), options), Not(HasSubstr("\x1b")));
  }
  options.color = true;
  EXPECT_THAT(diff(busy_shop(10), busy_shop(40), options), HasSubstr("\x1b["));
}

TEST(DiffReport, AsJsonHasEveryRow) {
  Options options;
  options.json = true;
  const Json json = Json::parse(diff(busy_shop(1), busy_shop(40), options));
  EXPECT_EQ(json["before"]["files"][0], "a.oriel");
  EXPECT_TRUE(json["whole"]["samples"]["significant"]);
  double change = 0;
  for (const Json& row : json["self"]) change += row["change"].get<double>();
  EXPECT_NEAR(change, json["whole"]["samples"]["change"].get<double>(), 1);
  EXPECT_FALSE(json["categories"].empty());
}

TEST(DiffReport, SaysThatTheSamplesAreOfTwoKindsOfTime) {
  profile::Profile on_cpu = busy_shop(1), all_along = busy_shop(1);
  on_cpu.sampling_mode = "process";
  all_along.sampling_mode = "real";
  const std::string warning =
      "The samples differ in kind, CPU time before and real time after: only real time goes on while a thread waits. "
      "So changes of sampled time, in total and by row, say nothing of the program; to compare, record both sides in "
      "the same way.";
  Options options;
  options.json = true;
  EXPECT_EQ(Json::parse(diff(on_cpu, all_along, options))["note"], warning);
  EXPECT_THAT(diff(on_cpu, all_along), HasSubstr("The samples differ in kind, CPU time before and real time after"));
  EXPECT_THAT(diff(on_cpu, on_cpu), Not(HasSubstr("differ in kind")));
  EXPECT_THAT(diff(on_cpu, on_cpu), HasSubstr("Times are sampled CPU time of one run"));
  EXPECT_THAT(diff(all_along, all_along), HasSubstr("Times are sampled real time of one run"));
}

TEST(DiffReport, WhatOneSideDoesNotRecordIsNotGone) {
  profile::Profile measured = busy_shop(1), file = busy_shop(1);
  measured.usage.max_rss_kb = 1000;
  file.usage.max_rss_kb = 0;
  const std::string text = diff(measured, file);
  const size_t at = text.find("peak memory");
  ASSERT_NE(at, std::string::npos);
  const std::string line = text.substr(text.rfind('\n', at) + 1, at - text.rfind('\n', at) - 1);
  EXPECT_THAT(line, HasSubstr("1.02 MB        –"));
  EXPECT_THAT(line, Not(HasSubstr("gone")));
  EXPECT_THAT(line, Not(HasSubstr("-")));
}

TEST(DiffReport, SaysThatThereAreTwoPrograms) {
  profile::Profile shop = busy_shop(1), till = busy_shop(1);
  shop.processes.resize(1);
  till.processes.resize(1);
  shop.processes[0].name = "Shop";
  till.processes[0].name = "Till";
  EXPECT_THAT(diff(shop, till), HasSubstr("\nThese are different programs, Shop and Till: "));
  EXPECT_THAT(diff(shop, shop), Not(HasSubstr("different programs")));
}

TEST(ProcessesReport, ShowsTheTreeAndWhatEachTook) {
  std::vector<profile::Profile> parts;
  const auto add = [&](uint64_t pid, std::vector<uint64_t> parents, const char* name, bool sdk) {
    parts.push_back(oriel::testing::shop_profile());
    profile::Process process;
    process.name = name;
    process.pid = pid;
    process.parents = std::move(parents);
    process.sdk = sdk;
    process.periods = parts.back().total_periods();
    parts.back().processes = {process};
  };
  add(10, {}, "dotnet-run", true);
  add(30, {20, 10}, "Shop", false);  // 20 is not a .NET program
  const profile::Profile both = profile::merge(std::move(parts));
  const std::string text = oriel::testing::text_of("processes", both);
  EXPECT_THAT(text, HasSubstr("dotnet-run (10)\n"));
  EXPECT_THAT(text, HasSubstr("    Shop (30)\n"));
  EXPECT_THAT(text, HasSubstr("The program: Shop (30)"));
  const auto json = oriel::testing::json_of("processes", both);
  EXPECT_EQ(json["processes"][1]["parent"], 10);
  EXPECT_EQ(json["processes"][1]["samples"], oriel::testing::kPeriods);
  EXPECT_THAT(oriel::testing::text_of("summary", both), HasSubstr("Processes   2: 50.0 % dotnet-run (10)"));
}

}  // namespace
}  // namespace oriel::report
