#include "profile/trees/call_tree.h"

#include <gmock/gmock.h>

#include <map>

#include "base/text/function_names.h"
#include "profile/shop/shop_log.h"

namespace oriel::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::map<std::string, std::pair<uint64_t, uint64_t>> self_and_total(const Profile& profile) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> result;
  for (const FunctionTotals& entry : function_totals(profile))
    result[profile.functions[entry.function].name] = {entry.self, entry.total};
  return result;
}

std::string name(const Profile& profile, const CallNode& node) { return profile.functions[node.function].name; }

TEST(FunctionTotals, SelfAndTotalWithRecursionCountedOnce) {
  const Profile profile = testing::shop_profile();
  EXPECT_THAT(self_and_total(profile),
              ElementsAre(Pair("Shop.Cart.AddAsync(System.String, int)", Pair(5, 15)),
                          Pair("Shop.Cart.Recurse(int)", Pair(6, 10)), Pair("Shop.Cart.Total()", Pair(4, 4)),
                          Pair("Shop.Program.Main(string[])", Pair(1, 26)), Pair("[libcoreclr.so]", Pair(2, 2)),
                          Pair("[stack could not be read]", Pair(1, 1)), Pair("memcpy", Pair(10, 10))));
}

TEST(FunctionTotals, AreOrderedBySelfAndKnowTheHeaviestCall) {
  const Profile profile = testing::shop_profile();
  const std::vector<FunctionTotals> totals = function_totals(profile);
  EXPECT_EQ(profile.functions[totals[0].function].name, "memcpy");
  std::map<std::string, uint64_t> heaviest;
  for (const FunctionTotals& entry : totals) heaviest[profile.functions[entry.function].name] = entry.heaviest_call;
  EXPECT_EQ(heaviest["Shop.Program.Main(string[])"], 15u);
  EXPECT_EQ(heaviest["Shop.Cart.Recurse(int)"], 4u);  // direct recursion is not a callee
}

TEST(CallTree, MergesTopDown) {
  const Profile profile = testing::shop_profile();
  const CallTree tree = call_tree(profile);
  EXPECT_EQ(tree.nodes[0].total, testing::kPeriods);
  ASSERT_EQ(tree.nodes[0].children.size(), 3u);
  const CallNode& main = tree.nodes[tree.nodes[0].children[0]];
  EXPECT_EQ(name(profile, main), "Shop.Program.Main(string[])");
  EXPECT_EQ(main.total, 26u);
  EXPECT_EQ(main.self, 1u);
  const CallNode& broken = tree.nodes[tree.nodes[0].children[1]];
  EXPECT_TRUE(broken.broken);
  EXPECT_EQ(broken.total, 2u);
  EXPECT_EQ(name(profile, tree.nodes[broken.children.at(0)]), "[libcoreclr.so]");
  EXPECT_EQ(tree.hidden_nodes, 0u);
}

TEST(CallTree, CutsBelowTheThresholdAndSaysSo) {
  const Profile profile = testing::shop_profile();
  const CallTree tree = call_tree(profile, 5);
  EXPECT_EQ(tree.nodes[0].children.size(), 1u);
  EXPECT_EQ(tree.nodes[0].hidden_children, 2u);
  EXPECT_EQ(tree.nodes[0].hidden_total, 3u);
  EXPECT_EQ(tree.hidden_nodes, 3u);  // and Total below the inner Recurse
}

TEST(Callers, ACallByItselfIsNoCaller) {
  const Profile profile = testing::shop_profile();
  const auto matches = matching_functions(profile, "Recurse");
  ASSERT_EQ(matches.size(), 1u);
  const CallTree tree = callers(profile, matches[0].function);
  EXPECT_EQ(tree.nodes[0].total, 10u);
  ASSERT_EQ(tree.nodes[0].children.size(), 1u);
  const CallNode& main = tree.nodes[tree.nodes[0].children[0]];
  EXPECT_EQ(name(profile, main), "Shop.Program.Main(string[])");
  EXPECT_EQ(main.total, 10u);
  EXPECT_EQ(main.self, 10u);
}

// host > lib > lib > Main > lib > wait: a library without symbols is one function, at both ends of the stack.
Profile with_a_library_at_both_ends() {
  Profile profile;
  for (const char* name : {"", "[host]", "[lib.so]", "Main", "wait"})
    profile.functions.push_back({name, "", "", false});
  profile.threads.resize(1);
  profile.nodes = {{}, {0, 1}, {1, 2}, {2, 2}, {3, 3}, {4, 2}, {5, 4}};
  profile.samples = {{0, 0, 6, 9}, {0, 0, 3, 1}};
  return profile;
}

TEST(Callers, StartAtTheInnermostCall) {
  const Profile profile = with_a_library_at_both_ends();
  const CallTree tree = callers(profile, matching_functions(profile, "lib.so").at(0).function);
  EXPECT_EQ(tree.nodes[0].total, 10u);
  ASSERT_EQ(tree.nodes[0].children.size(), 2u);
  const CallNode& main = tree.nodes[tree.nodes[0].children[0]];
  EXPECT_EQ(name(profile, main), "Main");
  EXPECT_EQ(main.total, 9u);
  EXPECT_EQ(name(profile, tree.nodes[main.children.at(0)]), "[lib.so]");
  const CallNode& host = tree.nodes[tree.nodes[0].children[1]];
  EXPECT_EQ(name(profile, host), "[host]");
  EXPECT_EQ(host.self, 1u);
}

TEST(Callers, TheMostOfManySmallOnesAreKept) {
  Profile profile;
  profile.functions.resize(102);
  profile.threads.resize(1);
  profile.nodes.resize(1);
  for (uint32_t i = 1; i <= 100; ++i) {
    profile.nodes.push_back({0, 1 + i});
    profile.nodes.push_back({2 * i - 1, 1});
    profile.samples.push_back({0, 0, 2 * i, i});
  }
  const CallTree tree = callers(profile, 1, 1000, 10);
  ASSERT_EQ(tree.nodes[0].children.size(), 10u);
  EXPECT_EQ(tree.nodes[tree.nodes[0].children[0]].total, 100u);
  EXPECT_EQ(tree.nodes[0].hidden_children, 90u);
  EXPECT_EQ(tree.nodes[0].total, 5050u);
}

TEST(Callers, UnknownCallersAreANodeOfTheirOwn) {
  const Profile profile = testing::shop_profile();
  const CallTree tree = callers(profile, matching_functions(profile, "[libcoreclr.so]").at(0).function);
  ASSERT_EQ(tree.nodes.size(), 2u);
  EXPECT_TRUE(tree.nodes[1].broken);
  EXPECT_EQ(tree.nodes[1].self, 2u);
}

TEST(MatchingFunctions, PreferWholeNames) {
  const Profile profile = testing::shop_profile();
  EXPECT_EQ(matching_functions(profile, "Shop.Cart.Total").size(), 1u);
  EXPECT_EQ(matching_functions(profile, "Shop.Cart.Total()").size(), 1u);
  EXPECT_EQ(matching_functions(profile, "Shop.").size(), 4u);
  EXPECT_EQ(matching_functions(profile, "nothing").size(), 0u);
}

TEST(MatchingFunctions, BracketsMayBeLeftOut) {
  Profile profile = testing::shop_profile();
  profile.functions.push_back({"[libcoreclr.so.debug]", "", "", false});
  profile.nodes.push_back({0, static_cast<uint32_t>(profile.functions.size() - 1)});
  profile.samples.push_back({0, 0, static_cast<uint32_t>(profile.nodes.size() - 1), 1});
  EXPECT_EQ(matching_functions(profile, "libcoreclr.so").size(), 1u);
  EXPECT_EQ(matching_functions(profile, "[libcoreclr.so]").size(), 1u);
  EXPECT_EQ(matching_functions(profile, "libcoreclr").size(), 2u);
  EXPECT_EQ(matching_functions(profile, "memcpy [libc.so.6]").size(), 1u);
}

TEST(WithoutParameters, KnowsTheLastBrackets) {
  EXPECT_EQ(without_parameters("A.B(C, D)"), "A.B");
  EXPECT_EQ(without_parameters("A.B(Func(int), D)"), "A.B");
  EXPECT_EQ(without_parameters("memcpy"), "memcpy");
  EXPECT_EQ(without_parameters("(anonymous)"), "(anonymous)");
  EXPECT_EQ(without_parameters("odd)"), "odd)");
  EXPECT_EQ(without_parameters(""), "");
}

}  // namespace
}  // namespace oriel::profile
