// What the heap report says of snapshots: what grows and what holds it, one type, dominators, differences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "heap/maker/heap_log.h"
#include "report/memory/heap_branches.h"
#include "report/memory/heap_snapshots.h"
#include "report/report_text.h"

namespace oriel::report {
namespace {

using heap::HeapLog;
using oriel::testing::json_of;
using oriel::testing::options_of;
using oriel::testing::text_of;
using profile::Profile;
using ::testing::HasSubstr;
using ::testing::Not;

// Without line breaks.
std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

TEST(HeapSnapshots, OneSaysWhatIsHeld) {
  HeapLog log;
  const Profile profile = log.snapshot(1000).load();
  const std::string text = in_one_line(text_of("heap", profile));
  EXPECT_THAT(text, HasSubstr("The heap in snapshot 1, at "));
  EXPECT_THAT(text, HasSubstr("The program was stopped for 41.0 ms. Nothing refers to 80.0 kB of it in 4 objects: "
                              "garbage that is not collected yet."));
  EXPECT_THAT(text, HasSubstr("1,001 objects of Shop.Order retain 20.0 MB. static Shop.Cache.Orders → "));
  EXPECT_THAT(text, HasSubstr("holds 99.9 % of their bytes"));
  EXPECT_THAT(text, Not(HasSubstr("grew")));
  EXPECT_THAT(text, Not(HasSubstr("a minute")));
}

TEST(HeapSnapshots, WithoutACopyTheReasonIsTold) {
  HeapLog log;
  const Profile profile = log.without_copies("Cannot allocate memory").snapshot(1000).load();
  EXPECT_THAT(
      in_one_line(text_of("heap", profile)),
      HasSubstr("The program was stopped for 41.0 ms, as no copy of it could be made: Cannot allocate memory."));
}

TEST(HeapSnapshots, MuchWasteIsToldWithWhereItIs) {
  HeapLog log;
  const Profile profile = log.texts(200).load();
  const std::string sentence = "199 strings repeat others: 1.99 MB could be saved.";
  const std::string text = in_one_line(text_of("heap", profile));
  EXPECT_THAT(text, HasSubstr(sentence + " The most is \"pounds\", 200 times. All references to them are in "
                                         "Shop.Order._currency. static Shop.Cache.Orders → "));
  const std::string all = in_one_line(text_of("heap", profile, *options_of("heap", {{"--findings", ""}})));
  EXPECT_THAT(all, HasSubstr(sentence));
  EXPECT_THAT(all, HasSubstr("1.99 MB      200  \"pounds\"  Shop.Order._currency"));
  const nlohmann::json json = json_of("heap", profile, *options_of("heap", {{"--findings", ""}}));
  const nlohmann::json& answer = json["findings"]["answers"][0];
  EXPECT_EQ(answer["question"], "equal_strings");
  EXPECT_EQ(answer["objects"], 199);
  EXPECT_EQ(answer["rows"][0]["in"], "Shop.Order._currency");
}

TEST(HeapSnapshots, LittleWasteIsNotTold) {
  HeapLog few, small;
  EXPECT_THAT(text_of("heap", few.texts(90).load()), Not(HasSubstr("could be saved")));
  EXPECT_THAT(text_of("heap", small.snapshot(1000).load()), Not(HasSubstr("could be saved")));
}

TEST(HeapSnapshots, GrowthThatGoesOnIsCalledSo) {
  HeapLog log;
  const Profile profile = log.snapshot(100).snapshot(400).snapshot(700).snapshot(1000).load();
  const std::string text = in_one_line(text_of("heap", profile));
  EXPECT_THAT(text, HasSubstr("Shop.Order grew from 105 to 1,001 objects"));
  EXPECT_THAT(text, HasSubstr("and kept growing over 4 snapshots: is all of it still needed? static "
                              "Shop.Cache.Orders → "));
  const nlohmann::json json = json_of("heap", profile);
  const nlohmann::json& told = json["heap_snapshots"];
  EXPECT_EQ(told["verdict"]["trend"], "grows");
  EXPECT_EQ(told["verdict"]["type"], "Shop.Order");
  EXPECT_EQ(told["verdict"]["holder"]["steps"][0], "static Shop.Cache.Orders");
  EXPECT_EQ(told["verdict"]["holder"]["steps"][1], "System.Collections.Generic.Dictionary<int, Shop.Order>._entries");
  EXPECT_EQ(told["verdict"]["holder"]["steps"][2],
            "System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[].value");
  EXPECT_EQ(told["verdict"]["holder"]["bytes"], 1000 * 20'000);
  EXPECT_EQ(told["snapshots"].size(), 4u);
}

TEST(HeapSnapshots, GrowthThatStoppedIsNoLeak) {
  HeapLog log;
  const Profile profile = log.snapshot(10).snapshot(990).snapshot(1000).snapshot(1000).load();
  EXPECT_EQ(json_of("heap", profile)["heap_snapshots"]["verdict"]["trend"], "grew");
  EXPECT_THAT(in_one_line(text_of("heap", profile)), HasSubstr("It did not grow all the time."));
}

TEST(HeapSnapshots, AHeapThatStaysHasNoVerdict) {
  HeapLog log;
  const Profile profile = log.snapshot(1000).snapshot(1002).snapshot(1000).load();
  EXPECT_EQ(json_of("heap", profile)["heap_snapshots"]["verdict"]["trend"], "none");
  EXPECT_THAT(text_of("heap", profile), HasSubstr("No type kept growing by"));
}

TEST(HeapSnapshots, OfOneTypeShowHoldersAndPaths) {
  HeapLog log;
  const Profile profile = log.snapshot(1000).load();
  const std::string text = text_of("heap", profile, *options_of("heap", {{"--type", "Order"}}));
  EXPECT_THAT(text, HasSubstr("Shop.Order: 1,001 objects, 20.0 MB"));
  EXPECT_THAT(text, HasSubstr(" 99.9 %  static Shop.Cache.Orders\n"));
  EXPECT_THAT(text, HasSubstr("_entries: System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[]\n"));
  Options every;
  every.min_share = 0;
  EXPECT_THAT(text_of("heap", profile, *options_of("heap", {{"--type", "Order"}}, every)),
              HasSubstr(" 0.1 %  a word on the stack of Shop.Program.Main() on thread main\n"));
  EXPECT_THAT(text, HasSubstr("     1,000  System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[].value\n"));
}

TEST(HeapSnapshots, ShowTheLargestDominators) {
  HeapLog log;
  const Profile profile = log.snapshot(1000).load();
  const std::string text = text_of("heap", profile, *options_of("heap", {{"--dominators", ""}}));
  EXPECT_THAT(text, HasSubstr("static Shop.Cache.Orders\n"));
  EXPECT_THAT(text, HasSubstr("  _entries: System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[]\n"));
  EXPECT_THAT(text, HasSubstr("1,000 × [].value: Shop.Order\n"));
}

TEST(HeapSnapshots, AreShownInSoManyRowsAsAreWanted) {
  HeapLog log;
  const Profile profile = log.snapshot(1000).load();
  Options two;
  two.limit = 2;
  const std::string paths = text_of("heap", profile, *options_of("heap", {{"--type", "Order"}}, two));
  EXPECT_THAT(paths, HasSubstr("static Shop.Cache.Orders\n"));
  EXPECT_THAT(paths, HasSubstr("  System.Collections.Generic.Dictionary<int, Shop.Order>\n"));
  EXPECT_THAT(paths, Not(HasSubstr("_entries: ")));
  const std::string dominators = text_of("heap", profile, *options_of("heap", {{"--dominators", ""}}, two));
  EXPECT_THAT(dominators, HasSubstr("static Shop.Cache.Orders\n"));
  EXPECT_THAT(dominators, Not(HasSubstr("_entries: ")));
}

HeapData last_of(const Profile& profile) {
  return read_heap(profile, *choose_snapshots(profile, {}), HeapParts::kGraph);
}

// Whether nothing is counted twice or lost, at this branch and below.
bool adds_up(const HeapBranch& branch) {
  uint64_t sum = branch.bytes + branch.rest;
  for (const HeapBranch& below : branch.below) sum += below.retained;
  return sum == branch.retained && std::ranges::is_sorted(branch.below, std::greater<>(), &HeapBranch::retained) &&
         std::ranges::all_of(branch.below, adds_up);
}

TEST(HeapSnapshots, BranchesAddUpToWhatIsReachable) {
  HeapLog log;
  const Profile profile = log.texts(200).load();
  const HeapData data = last_of(profile);
  for (const uint64_t least : {uint64_t{0}, uint64_t{10'020}, uint64_t{1'000'000}, UINT64_MAX}) {
    HeapBranch all = heap_branches(data, profile, {least, least});
    EXPECT_EQ(all.retained, data.loaded->tree.retained[0]);
    EXPECT_TRUE(adds_up(all)) << least;
    keep_largest(all, 2);
    EXPECT_TRUE(adds_up(all)) << least;
  }
}

TEST(HeapSnapshots, WhatManyObjectsHoldIsTogetherToo) {
  HeapLog log;
  const Profile profile = log.texts(200).load();
  const HeapData data = last_of(profile);
  const HeapBranch all = heap_branches(data, profile, {100'000, 100'000});
  const HeapBranch& orders = all.below.at(0).below.at(0).below.at(0);
  EXPECT_EQ(branch_text(orders), "[].value: Shop.Order");
  EXPECT_EQ(orders.objects, 200u);
  ASSERT_EQ(orders.below.size(), 1u);
  EXPECT_EQ(branch_text(orders.below[0]), "_currency: string");
  EXPECT_EQ(orders.below[0].objects, 200u);
  EXPECT_EQ(orders.retained, orders.bytes + orders.below[0].bytes);
}

TEST(HeapSnapshots, ObjectsAreTogetherBelowOneBoundAndGoneBelowAnother) {
  HeapLog log;
  const Profile profile = log.texts(200).load();
  const HeapData data = last_of(profile);
  const auto orders_of = [&](const BranchBounds& bounds) {
    return heap_branches(data, profile, bounds).below.at(0).below.at(0).below;
  };
  EXPECT_EQ(orders_of({1'000, 1}).size(), 200u);
  EXPECT_EQ(orders_of({100'000, 1}).size(), 1u);
  EXPECT_EQ(orders_of({100'000, 1}).at(0).below.at(0).name, "string");
  EXPECT_TRUE(orders_of({2'005'000, 2'012'000}).empty());
}

TEST(HeapSnapshots, AListIsOneBranch) {
  HeapLog log;
  const Profile profile = log.chain(1'000).load();
  const HeapData data = last_of(profile);
  const HeapBranch all = heap_branches(data, profile, {});
  const HeapBranch& orders = all.below.at(0).below.at(0);
  EXPECT_EQ(branch_text(orders), "Shop.Order, one after another");
  EXPECT_EQ(orders.objects, 1'000u);
  EXPECT_TRUE(orders.below.empty());
  EXPECT_TRUE(adds_up(all));
}

TEST(HeapSnapshots, TheLargestBranchesStay) {
  HeapLog log;
  const Profile profile = log.snapshot(300).load();
  const HeapData data = last_of(profile);
  HeapBranch all = heap_branches(data, profile, {});
  ASSERT_EQ(all.below.at(0).below.at(0).below.at(0).below.size(), 300u);
  EXPECT_EQ(keep_largest(all, 10'000), 0u);
  // The static field, the dictionary, its entries and 22 orders; the local variable is none of them.
  EXPECT_EQ(keep_largest(all, 25), 20'000u);
  ASSERT_EQ(all.below.size(), 1u);
  EXPECT_EQ(all.others, 1u);
  const HeapBranch& entries = all.below[0].below.at(0).below.at(0);
  EXPECT_EQ(entries.below.size(), 22u);
  EXPECT_EQ(entries.others, 278u);
  EXPECT_EQ(entries.rest, 278u * 20'000);
}

TEST(HeapSnapshots, AreJsonToo) {
  HeapLog log;
  const Profile profile = log.snapshot(1000).load();
  const nlohmann::json type = json_of("heap", profile, *options_of("heap", {{"--type", "Order"}}))["type"];
  EXPECT_EQ(type["objects"], 1001);
  EXPECT_EQ(type["garbage_objects"], 4);
  EXPECT_EQ(type["paths"][0]["step"], "static Shop.Cache.Orders");
  EXPECT_EQ(type["paths"][0]["objects"], 1000);
  EXPECT_EQ(type["referrers"][0]["references"], 1000);
  const nlohmann::json tree = json_of("heap", profile, *options_of("heap", {{"--dominators", ""}}))["dominators"];
  EXPECT_EQ(tree[0]["name"], "static Shop.Cache.Orders");
  EXPECT_EQ(tree[0]["below"][0]["below"][0]["below"][0]["objects"], 1000);
}

TEST(HeapSnapshots, DifferByTypes) {
  HeapLog log;
  const Profile profile = log.snapshot(100).snapshot(400).snapshot(300).load();
  const auto from_2 = options_of("heap", {{"--diff", ""}, {"--since", "2"}});
  EXPECT_THAT(text_of("heap", profile, *from_2), HasSubstr("-100"));
  EXPECT_THAT(text_of("heap", profile, *options_of("heap", {{"--diff", ""}})), HasSubstr("+200"));
  EXPECT_THAT(text_of("heap", profile, *options_of("heap", {{"--diff", ""}, {"--snapshot", "2"}})), HasSubstr("+300"));
}

TEST(HeapSnapshots, TellWhichObjectsAreStillThere) {
  HeapLog log;
  const Profile profile = log.large_chain(100).large_chain(400).large_chain(300).load();
  const auto diff = options_of("heap", {{"--diff", ""}});
  const std::string text = in_one_line(text_of("heap", profile, *diff));
  EXPECT_THAT(text, HasSubstr("+4.00 MB  6.00 MB     +200  300    100    Shop.Order"));
  EXPECT_THAT(text, HasSubstr("Made between snapshot 1 and snapshot 2, and still there in snapshot 3:"));
  EXPECT_THAT(text, HasSubstr("4.00 MB      200  Shop.Order"));
  const nlohmann::json orders = json_of("heap", profile, *diff)["diff"]["types"][0];
  EXPECT_EQ(orders["type"], "Shop.Order");
  EXPECT_EQ(orders["still_there"]["objects"], 100);
  EXPECT_EQ(orders["made_and_still_there"]["objects"], 200);
  EXPECT_EQ(orders["made_and_still_there"]["bytes"], 200 * 20'000);
}

TEST(HeapSnapshots, RefuseWhatTheyDoNotHave) {
  HeapLog log;
  const Profile profile = log.snapshot(100).load();
  const auto error_of = [&](std::initializer_list<std::pair<const char*, const char*>> options) {
    std::ostringstream out;
    const Status status = write_report(*find_report("heap"), profile, *options_of("heap", options), out);
    return status ? "" : status.message();
  };
  EXPECT_THAT(error_of({{"--snapshot", "7"}}), HasSubstr("there is no snapshot 7 of the heap; there is only 1"));
  EXPECT_THAT(error_of({{"--diff", ""}}), HasSubstr("needs two snapshots"));
  EXPECT_THAT(error_of({{"--type", "Nothing"}}), HasSubstr("no type in the snapshot has 'Nothing' in its name"));
  EXPECT_THAT(error_of({{"--type", "Dictionary"}}), HasSubstr("several types"));
}

TEST(HeapSnapshots, AreCountedWithoutReferences) {
  HeapLog log;
  const Profile profile = log.snapshot(100).load();
  const std::string text = text_of("heap", profile, *options_of("heap", {{"--types", ""}}));
  EXPECT_THAT(text, HasSubstr("Shop.Order"));
  EXPECT_THAT(text, Not(HasSubstr("retains")));
  EXPECT_THAT(text_of("summary", profile), HasSubstr("1 of the heap; the last at"));
}

}  // namespace
}  // namespace oriel::report
