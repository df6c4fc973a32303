// What the page leaves out of large trees, and what a server answers of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "exports/build_profile.h"
#include "exports/page_selection.h"
#include "exports/page_sums.h"
#include "exports/page_trees.h"
#include "exports/page_view.h"
#include "exports/page_zoom.h"

namespace oriel::exports {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using testing::ProfileBuilder;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// Main calls Work (900 samples) and 100 methods with a sample each, of which the last calls Deep.
ProfileBuilder many_small() {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("Main", 1), other = builder.thread("Pool", 2);
  const uint32_t main = builder.function("Shop.Main()", "Shop.dll"), work = builder.function("Shop.Work()", "Shop.dll");
  builder.sample(thread, builder.stack({main, work}), 990'000);
  for (int i = 0; i < 99; ++i)
    builder.sample(thread, builder.stack({main, builder.function("Shop.F" + std::to_string(i) + "()", "Shop.dll")}),
                   100);
  const uint32_t deep = builder.function("System.Deep()", "System.Private.CoreLib.dll");
  builder.sample(other, builder.stack({main, builder.function("Shop.F99()", "Shop.dll"), deep}), 100);
  return builder;
}

std::unique_ptr<PageView> view_of(const profile::Profile& profile) {
  auto view = PageView::make(profile, {});
  EXPECT_TRUE(view) << view.message();
  return std::move(*view);
}

PageSelection selection_of(const std::map<std::string, std::string>& words) {
  const Result<PageSelection> selection = parse_selection(words);
  EXPECT_TRUE(selection) << selection.message();
  return *selection;
}

std::map<uint32_t, std::string> names_in(const json& answer) {
  std::map<uint32_t, std::string> names;
  for (const json& frame : answer["frames"]["all"]) names[frame[0]] = frame[1];
  return names;
}

// By path of names, the total of each node of an answer's tree.
std::map<std::string, uint64_t> totals_in(const json& answer) {
  const json& tree = answer["tree"];
  const auto names = names_in(answer);
  const size_t nodes = tree["up"].size();
  std::vector<uint64_t> total(nodes + 1);
  for (const json& thread : tree["threads"]) {
    size_t node = 0;
    for (size_t i = 0; i < thread["nodes"].size(); ++i)
      total[node += thread["nodes"][i].get<size_t>()] += thread["self"][i].get<uint64_t>();
  }
  for (size_t i = nodes; i > 0; --i) total[i - tree["up"][i - 1].get<size_t>()] += total[i];
  std::vector<std::string> paths(nodes + 1);
  std::map<std::string, uint64_t> all = {{"", total[0]}};
  for (size_t i = 1; i <= nodes; ++i) {
    paths[i] = paths[i - tree["up"][i - 1].get<size_t>()] + "/" + names.at(tree["frame"][i - 1]);
    all[paths[i]] = total[i];
  }
  return all;
}

std::string way_of(const json& answer, const std::vector<std::string>& steps) {
  const auto names = names_in(answer);
  std::string way;
  for (const std::string& step : steps)
    for (const auto& [frame, name] : names)
      if (name == step) way += (way.empty() ? "" : ".") + std::to_string(frame);
  return way;
}

TEST(PageView, WhatIsTooSmallToDrawIsOneNodeThatOpens) {
  const profile::Profile profile = many_small().profile();
  const auto view = view_of(profile);
  const json answer = view->graph(selection_of({}));
  EXPECT_THAT(totals_in(answer),
              ElementsAre(Pair("", 1'000'000), Pair("/Shop.Main()", 1'000'000), Pair("/Shop.Main()/(smaller)", 10'000),
                          Pair("/Shop.Main()/Shop.Work()", 990'000)));
  ASSERT_THAT(answer["smaller"], SizeIs(1));
  EXPECT_EQ(answer["smaller"][0][1], 500) << "0.05 % of the root";
  EXPECT_EQ(answer["smaller"][0][2], 100);

  const std::string main = way_of(answer, {"Shop.Main()"});
  const json opened = view->graph(selection_of({{"zoom", main + ".s500"}}));
  const auto totals = totals_in(opened);
  EXPECT_EQ(totals.at("/Shop.Main()/(smaller)"), 10'000);
  EXPECT_EQ(totals.at("/Shop.Main()/(smaller)/Shop.F7()"), 100);
  EXPECT_EQ(totals.at("/Shop.Main()/(smaller)/Shop.F99()/System.Deep()"), 100);
  EXPECT_EQ(totals.at("/Shop.Main()/Shop.Work()"), 990'000);
  ASSERT_THAT(opened["smaller"], SizeIs(1));
  EXPECT_EQ(opened["smaller"][0][1], 500);
  EXPECT_EQ(opened["smaller"][0][2], 0) << "nothing in it is folded";
  EXPECT_EQ(opened["methods"]["whole"], 1'000'000) << "methods are the caller's";
}

TEST(PageView, AnswersAreOfWhatIsSelected) {
  profile::Profile profile = many_small().profile();
  const auto view = view_of(profile);
  EXPECT_THAT(view->graph(selection_of({}))["threads"], ElementsAre(json{0, 999'900}, json{1, 100}));
  const json pool = view->graph(selection_of({{"thread", "1"}}));
  EXPECT_THAT(totals_in(pool),
              ElementsAre(Pair("", 100), Pair("/Shop.Main()", 100), Pair("/Shop.Main()/Shop.F99()", 100),
                          Pair("/Shop.Main()/Shop.F99()/System.Deep()", 100)));
  EXPECT_THAT(pool["threads"], SizeIs(2)) << "to choose another";
  EXPECT_EQ(totals_in(view->graph(selection_of({{"thread", "17"}}))).at(""), 0);

  // The tree keeps the weights of other categories, which its bar shows; what is folded goes by the selected one.
  const json groups = view->graph(selection_of({{"group", "1"}}));
  EXPECT_TRUE(totals_in(groups).contains("/Shop.Main()/Shop.F99()/System.Deep()"));
  EXPECT_FALSE(totals_in(groups).contains("/Shop.Main()/Shop.Work()"));
  EXPECT_THAT(groups["methods"]["rows"], SizeIs(3));
}

TEST(PageView, ARangeCountsWhatWasWithinIt) {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("Main", 1);
  const uint32_t first = builder.stack({builder.function("Shop.First()", "Shop.dll")});
  const uint32_t second = builder.stack({builder.function("Shop.Second()", "Shop.dll")});
  for (int i = 0; i < 100; ++i) builder.sample(thread, i < 50 ? first : second, 1);
  profile::Profile profile = builder.profile();
  int64_t at = 0;
  for (profile::Sample& sample : profile.samples.change()) sample.ns = at += 1'000'000;
  profile.wall_ns = 100'000'000;
  const auto view = view_of(profile);
  const auto between = [&](const char* from, const char* to) {
    return totals_in(view->graph(selection_of({{"from", from}, {"to", to}})));
  };
  EXPECT_THAT(between("40000000", "60000000"),
              ElementsAre(Pair("", 20), Pair("/Shop.First()", 10), Pair("/Shop.Second()", 10)));
  EXPECT_THAT(between("10000000", "13000000"), ElementsAre(Pair("", 3), Pair("/Shop.First()", 3)));
  EXPECT_THAT(between("900000000", "990000000"), ElementsAre(Pair("", 0)));
}

// Each row has less than half a period in a short range; all of them together have what they should.
TEST(PageView, ARangeHasItsPartOfRowsThatStandForManySamples) {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("Main", 1);
  const uint32_t first = builder.stack({builder.function("Shop.First()", "Shop.dll")});
  for (int i = 0; i < 1000; ++i) builder.sample(thread, first, 1);
  profile::Profile profile = builder.profile();
  int64_t at = 0;
  for (profile::Sample& sample : profile.samples.change()) sample.ns = at += 1'000'000;
  profile.wall_ns = 1'000'000'000;
  profile.threads[thread].first_ns = 0;
  profile.threads[thread].last_ns = profile.wall_ns;
  profile.sample_window_ns = 200'000'000;
  const json graph = view_of(profile)->graph(selection_of({{"from", "400000000"}, {"to", "450000000"}}));
  EXPECT_NEAR(static_cast<double>(totals_in(graph).at("")), 50, 2);
}

TEST(PageView, TellsOfAMethodAndItsNeighbours) {
  const profile::Profile profile = many_small().profile();
  const auto view = view_of(profile);
  const json names = view->names();
  const auto frame = [&](const std::string& name) {
    for (const json& one : names["all"])
      if (one[1] == name) return std::to_string(one[0].get<int>());
    return std::string();
  };
  const json main = view->method(selection_of({{"frame", frame("Shop.Main()")}}));
  EXPECT_EQ(main["total"], 1'000'000);
  EXPECT_EQ(main["self"], 0);
  EXPECT_THAT(main["callers"], ElementsAre(json{-1, 1'000'000}));
  EXPECT_THAT(main["callees"], SizeIs(101)) << "however small";
  const json callers = view->graph(selection_of({{"callers", frame("System.Deep()")}}));
  EXPECT_EQ(totals_in(callers).at("/System.Deep()/Shop.F99()/Shop.Main()"), 100);
  EXPECT_TRUE(view->method(selection_of({})).is_null());
  EXPECT_TRUE(view->graph(selection_of({{"tree", "9"}})).is_null());
}

TEST(PageView, ASearchCountsEachStackOnce) {
  const profile::Profile profile = many_small().profile();
  const auto view = view_of(profile);
  const json names = view->names();
  const auto digits = [&](auto is_wanted) {
    std::string text;
    std::map<int, int> values;
    for (const json& one : names["all"])
      if (is_wanted(one[1].get<std::string>())) values[one[0].get<int>() / 4] |= 1 << one[0].get<int>() % 4;
    for (int i = 0; i <= (values.empty() ? -1 : values.rbegin()->first); ++i) text += "0123456789abcdef"[values[i]];
    return text;
  };
  const std::string small =
      digits([](const std::string& name) { return name.find("F99") != name.npos || name.find("Deep") != name.npos; });
  EXPECT_EQ(view->graph(selection_of({{"found", small}}))["found"], (json{100, 2, 1'000'000}))
      << "also of what is not drawn";
  EXPECT_EQ(view->graph(selection_of({}))["found"], (json{0, 0, 1'000'000}));
}

TEST(PageView, MethodsHaveAllTheirFigures) {
  const profile::Profile profile = many_small().profile();
  const json all = view_of(profile)->methods(selection_of({}));
  EXPECT_THAT(all["columns"], ElementsAre("samples"));
  EXPECT_EQ(all["all"], 103);
  EXPECT_THAT(all["rows"], SizeIs(103));
  const json pool = view_of(profile)->methods(selection_of({{"thread", "1"}}));
  EXPECT_THAT(pool["rows"], SizeIs(3));
}

TEST(PageSelection, IsReadFromWords) {
  const PageSelection all = selection_of({{"tree", "2"},
                                          {"second", "1"},
                                          {"thread", "3"},
                                          {"group", "1,4"},
                                          {"from", "-5"},
                                          {"to", "7"},
                                          {"scaffolding", "1"},
                                          {"callers", "8"},
                                          {"zoom", "5.s300.4"},
                                          {"found", "18"},
                                          {"frame", "9"}});
  EXPECT_EQ(all.tree, 2);
  EXPECT_TRUE(all.second);
  EXPECT_EQ(all.thread, 3);
  EXPECT_THAT(all.groups, ElementsAre(1, 4));
  EXPECT_EQ(all.from_ns, -5);
  EXPECT_EQ(all.to_ns, 7);
  EXPECT_TRUE(all.scaffolding);
  EXPECT_EQ(all.callers_of, 8);
  ASSERT_THAT(all.zoom, SizeIs(3));
  EXPECT_EQ(all.zoom[1].least, 300);
  EXPECT_THAT(all.found, ElementsAre(true, false, false, false, false, false, false, true));
  EXPECT_EQ(all.frame, 9);
  for (const auto& [word, text] : {std::pair("tree", "x"),
                                   {"thread", "-1"},
                                   {"group", "1,,2"},
                                   {"zoom", "s"},
                                   {"zoom", "s0"},
                                   {"zoom", "1..2"},
                                   {"zoom", "1.s300.s300"},
                                   {"to", "-9223372036854775808"},
                                   {"found", "g"},
                                   {"from", "99999999999999999999"}})
    EXPECT_FALSE(parse_selection({{word, text}})) << word << "=" << text;
}

TEST(PageZoom, AWayThatLeadsNowhereIsFollowedAsFarAsItDoes) {
  const std::vector<PageNode> nodes = {{}, {0, 1, 0}, {1, 2, 0}, {0, 3, 0}};
  const ZoomedTree tree = zoomed(nodes, {10, 6, 6, 4}, {{1, 0}, {7, 0}, {2, 0}}, 9);
  EXPECT_EQ(tree.zoomed, 1);
  EXPECT_THAT(tree.nodes, SizeIs(4));
  EXPECT_THAT(tree.places, ElementsAre(0, 1, 2, 3));
}

TEST(PageZoom, CalleesOnTheWayAreThereHoweverSmall) {
  // The root calls 1 (all but a little) and 2, which calls 3.
  const std::vector<PageNode> nodes = {{}, {0, 1, 0}, {0, 2, 0}, {2, 3, 0}, {2, 4, 0}};
  const ZoomedTree tree = zoomed(nodes, {100'000, 99'990, 10, 9, 1}, {{2, 0}}, 9);
  EXPECT_THAT(tree.smaller, SizeIs(0));
  EXPECT_THAT(tree.nodes, SizeIs(5));
  EXPECT_THAT(zoomed(nodes, {100'000, 99'990, 10, 9, 1}, {}, 9).nodes, SizeIs(3));
}

TEST(PageTree, AFileHasAsManyNumbersAsItMay) {
  const Result<PageTrees> page = page_trees(many_small().profile(), {});
  ASSERT_TRUE(page) << page.message();
  const PageTree& whole = page->trees[0].tree;
  const Bounded all = bounded(whole, page->smaller, 10'000);
  EXPECT_EQ(all.folded, 0);
  EXPECT_THAT(all.tree.nodes, SizeIs(whole.nodes.size()));
  const Bounded few = bounded(whole, page->smaller, 100);
  EXPECT_EQ(few.folded, 101);
  EXPECT_THAT(few.tree.nodes, SizeIs(4));
  EXPECT_GT(few.least, 100);
  const std::vector<uint64_t> totals = totals_of(few.tree);
  EXPECT_EQ(totals[0], 1'000'000);
  for (size_t i = 0; i < whole.nodes.size(); ++i) EXPECT_LT(few.places[i], few.tree.nodes.size());
}

TEST(PageTree, LightWeightsHaveLongerParts) {
  PageTree tree;
  tree.nodes = {{}, {0, 1, 0}, {0, 2, 0}};
  tree.scaffolding.resize(3);
  tree.weights = {{.node = 1, .self = 800}, {.node = 2, .self = 8}};
  for (uint32_t part = 0; part < 8; ++part) {
    tree.weights[0].parts.emplace_back(part, 100);
    tree.weights[1].parts.emplace_back(part, 1);
  }
  bound_parts(tree, 404);
  EXPECT_THAT(tree.weights[0].parts, SizeIs(8));
  EXPECT_THAT(tree.weights[1].parts, ElementsAre(Pair(0, 2), Pair(2, 2), Pair(4, 2), Pair(6, 2)));
  bound_parts(tree, 1);
  EXPECT_THAT(tree.weights[1].parts, ElementsAre(Pair(0, 4), Pair(4, 4))) << "two at least";
}

}  // namespace
}  // namespace oriel::exports
