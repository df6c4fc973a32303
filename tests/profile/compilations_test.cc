#include "profile/work/compilations.h"

#include <gtest/gtest.h>

namespace oriel::profile {
namespace {

TEST(Compilations, AddUpByMethodAndByWhatTheyAreFor) {
  Profile profile;
  profile.functions = {{}, {"Often()", "", "", true}, {"Once()", "", "", true}};
  profile.threads.resize(2);
  profile.threads[1].name = ".NET Tiered Compilation Worker";
  profile.compiling = {
      {0, 0, 2, false, 1}, {1, 0, 1, false, 2}, {2, 1, 1, true, 3}, {3, 0, 1, true, 4}, {4, 1, 1, false, 5}};
  const std::vector<CompilationTotals> totals = compilation_totals(profile);
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals[0].function, 1u);
  EXPECT_EQ(totals[0].first, 2u);
  EXPECT_EQ(totals[0].tiered, 8u);
  EXPECT_EQ(totals[0].in_place, 4u);
  EXPECT_EQ(totals[1].all(), 1u);
  EXPECT_EQ(sum(totals).all(), 15u);
}

TEST(Compilations, AlsoMeetWorkBesideTheCompiler) {
  Profile profile;
  profile.functions = {{},
                       {"Main()", "", "", true},
                       {"[libcoreclr.so]", "", "libcoreclr.so", false},
                       {"[libclrjit.so]", "", "libclrjit.so", false}};
  profile.threads.resize(1);
  profile.nodes = {{}, {0, 2, false}, {1, 3, false}};
  profile.samples = {{1, 0, 1, 1}, {2, 0, 2, 4}, {3, 0, 1, 2}};
  profile.compiling = {{1, 0, 1, false, 1}, {2, 0, 1, false, 4}};
  const std::vector<Share> beside = beside_the_compiler(profile);
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_EQ(beside[0].category, Category::kRuntime);
  EXPECT_EQ(beside[0].periods, 1u);
}

// Shares are of the program's time, which Oriel's is no part of.
TEST(Compilations, LeaveOutWhatOrielDoesInThem) {
  Profile profile;
  profile.functions = {{},
                       {"Main()", "", "", true},
                       {"[libclrjit.so]", "", "libclrjit.so", false},
                       {"[liboriel.so]", "", "liboriel.so", false}};
  profile.threads.resize(1);
  profile.nodes = {{}, {0, 2, false}, {1, 3, false}};
  profile.samples = {{1, 0, 1, 1}, {2, 0, 2, 4}};
  profile.compiling = {{1, 0, 1, false, 1}, {2, 0, 1, false, 4}};
  EXPECT_EQ(sum(compilation_totals(profile)).all(), 1u);
  EXPECT_TRUE(beside_the_compiler(profile).empty());
}

TEST(Compilations, ForTheFirstTimeAddUpByWhoseCodeItIs) {
  Profile profile;
  profile.origins = {{}, {log::Origin::kPackage, "Orm 3.0.1"}};
  profile.functions = {{}, {"Main()", "", "Shop.dll", true}, {"Orm.A()", "", "Orm.dll", true}};
  profile.functions.push_back({"Orm.B()", "", "Orm.dll", true});
  profile.functions[2].origin = profile.functions[3].origin = 1;
  profile.threads.resize(1);
  profile.compiling = {{0, 0, 1, false, 1}, {1, 0, 2, false, 2}, {2, 0, 3, false, 3}, {3, 0, 1, true, 9}};
  const std::vector<FirstCompilations> first = first_compilations(profile);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].category, Category::kPackage);
  EXPECT_EQ(first[0].name, "Orm");
  EXPECT_EQ(first[0].periods, 5u);
  EXPECT_EQ(first[1].category, Category::kOwn);
  EXPECT_EQ(first[1].periods, 1u);
}

}  // namespace
}  // namespace oriel::profile
