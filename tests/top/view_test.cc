#include <gmock/gmock.h>

#include <numeric>
#include <sstream>

#include "profile/shop/tell_calls.h"
#include "report/words/json.h"
#include "top/plain.h"
#include "top/words.h"
#include "top_view.h"

namespace oriel {
namespace {

using ::testing::Contains;
using ::testing::DoubleNear;
using testing::find_row;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::shop_view;
using top::PageId;

TEST(TopView, CpuIsWhatTheKernelTellsAndItsPartsAreSamples) {
  const top::View view = shop_view();
  double parts = 0;
  for (const top::Share& share : view.shares) parts += share.part;
  EXPECT_THAT(parts, DoubleNear(1, 1e-9));
  // All own methods and the rest are the 150 % that the process used.
  double cpu = 0;
  for (const top::Row& row : view.page(PageId::kMethods).rows) cpu += row.values[0];
  EXPECT_THAT(cpu, DoubleNear(150, 1e-6));
  const top::Row* const main = find_row(view.page(PageId::kMethods), "Shop.Program.Main(string[])");
  ASSERT_NE(main, nullptr);
  EXPECT_THAT(main->values[1], DoubleNear(150.0 * 26 / testing::kPeriods, 1e-6));
}

TEST(TopView, WithoutTheKernelsFiguresTheSamplingRateTells) {
  top::Window window = testing::shop_window();
  window.process.reset();
  top::Carried carried;
  const double periods = testing::kPeriods, hz = window.profile->sampling_hz;
  const top::View view = top::make_view(std::move(window), carried);
  double cpu = 0;
  for (const top::Row& row : view.page(PageId::kMethods).rows) cpu += row.values[0];
  EXPECT_THAT(cpu, DoubleNear(100 * periods / hz / 0.1, 1e-6));
}

TEST(TopView, RatesArePerSecond) {
  const top::View view = shop_view();
  EXPECT_THAT(view.figures.exceptions, DoubleNear(50, 1e-9));
  EXPECT_EQ(view.figures.exception, "System.InvalidOperationException");
  EXPECT_THAT(view.figures.collections.at(0), DoubleNear(20, 1e-9));
  EXPECT_THAT(view.figures.collections.at(2), DoubleNear(10, 1e-9));
  EXPECT_THAT(view.page(PageId::kExceptions).rows[0].values[0], DoubleNear(30, 1e-9));
}

TEST(TopView, CallersAreTheDetailsOfAMethod) {
  const top::View view = shop_view();
  const top::Row* const memcpy = find_row(view.page(PageId::kFunctions), "memcpy");
  ASSERT_NE(memcpy, nullptr);
  const std::vector<top::Detail> details = top::details(view, PageId::kFunctions, memcpy->key);
  ASSERT_GE(details.size(), 2u);
  EXPECT_THAT(details[0].name, HasSubstr("AddAsync"));
  EXPECT_THAT(details[0].part, DoubleNear(1, 1e-9));
  EXPECT_THAT(details[1].name, HasSubstr("Main"));
  EXPECT_TRUE(top::details(view, PageId::kFunctions, "no such row").empty());
}

TEST(TopView, AllocationsByTypeAndTheirPlaces) {
  testing::CallTeller teller;
  teller.property("alloc", "sampled");
  const uint64_t outer = teller.stack(0, 1), inner = teller.stack(outer, 2);
  teller.with(inner).sample(1000, 3, 24, 100'000);
  teller.with(outer).sample(2000, 4, 48, 300'000);
  const top::View view = shop_view(teller.finish());
  const top::Page& page = view.page(PageId::kMemory);
  ASSERT_EQ(page.rows.size(), 2u);
  EXPECT_EQ(page.rows[0].name, "T4");
  EXPECT_THAT(page.rows[0].values[0], DoubleNear(3'000'000, 1));
  EXPECT_THAT(*view.figures.allocated, DoubleNear(4'000'000, 1));
  const std::vector<top::Detail> details = top::details(view, PageId::kMemory, page.rows[1].key);
  ASSERT_EQ(details.size(), 2u);
  EXPECT_EQ(details[0].name, "M2");
  EXPECT_EQ(details[1].name, "M1");
}

TEST(TopView, WhatIsNotRecordedSaysSo) {
  const top::View view = shop_view();
  EXPECT_FALSE(view.figures.allocated.has_value());
  EXPECT_THAT(view.page(PageId::kMemory).why_empty, HasSubstr("alloc=sampled"));
  EXPECT_THAT(view.page(PageId::kRequests).why_empty, HasSubstr("--activities"));
}

TEST(TopView, NothingIsSaidOfAllocationsThatMonoDoesNotReport) {
  testing::CallTeller teller;
  teller.property("alloc", "sampled");
  profile::Profile profile = teller.finish();
  profile.intro.runtime = "Mono 6.8.0.105";
  EXPECT_FALSE(shop_view(std::move(profile)).figures.allocated.has_value());
}

TEST(TopView, TheHeapIsThatOfAnEarlierWindowWhereNothingWasCollected) {
  top::Carried carried;
  carried.heap = 45'200'000;
  const top::View view = top::make_view(testing::shop_window(testing::CallTeller().finish()), carried);
  EXPECT_EQ(view.figures.heap, 45'200'000u);
  EXPECT_THAT(top::head_lines(view)[0].text(80), HasSubstr("heap 45.2 MB"));
}

TEST(TopView, PlainLinesAreAsWideAsAsked) {
  for (const size_t width : {100, 60}) {
    std::ostringstream out;
    top::write_plain(shop_view(), "12:00:07", width, out);
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width + 4) << line;  // "…" has 3 bytes
    EXPECT_THAT(out.str(), HasSubstr("12:00:07  Shop (4711), up 2 min 03 s   CPU 150 %"));
    EXPECT_THAT(out.str(), HasSubstr("Exceptions  50/s, most System.InvalidOperationException"));
  }
}

TEST(TopView, JsonIsOneObjectInALine) {
  std::ostringstream out;
  top::write_json(shop_view(), 1'780'000'000'500'000, out);
  EXPECT_EQ(std::ranges::count(out.str(), '\n'), 1);
  const report::Json json = report::Json::parse(out.str());
  EXPECT_EQ(json["pid"], 4711);
  EXPECT_EQ(json["time"], 1'780'000'000.5);
  EXPECT_EQ(json["cpu"], 1.5);
  EXPECT_EQ(json["tables"].size(), top::kPages);
  EXPECT_FALSE(json["tables"]["methods"].empty());
}

}  // namespace
}  // namespace oriel
