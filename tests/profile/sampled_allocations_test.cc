// Estimates from sampled allocations of hand-made logs.
#include "profile/build/memory/sampled_allocations.h"

#include <gmock/gmock.h>

#include "profile/profile.h"
#include "profile/shop/tell_calls.h"
#include "profile/trees/call_totals.h"
#include "profile/trees/weight.h"

namespace oriel::profile {
namespace {

using testing::CallTeller;
using ::testing::ElementsAre;

// "type objects bytes samples", by bytes, descending.
std::vector<std::string> types_of(const Profile& profile) {
  std::vector<std::string> lines;
  for (const AllocationTotals& total : allocations_by_type(profile))
    lines.push_back(profile.functions[total.type].name + " " + std::to_string(total.objects) + " " +
                    std::to_string(total.bytes) + " " + std::to_string(total.samples));
  return lines;
}

TEST(SampledAllocations, StandForObjectsOfTheirSize) {
  CallTeller log;
  log.sample(10, 1, 24, 102'412).sample(20, 1, 24, 102'412).sample(30, 2, 1'000'000, 1'000'017).on(2);
  log.sample(40, 1, 48, 102'424);
  const Profile profile = log.finish();
  // 4,267.17 objects of 24 bytes each time, and 2,133.83 of 48: rounded per thread.
  EXPECT_THAT(types_of(profile), ElementsAre("T2 1 1000017 1", "T1 10668 307248 3"));
  const CallSums sums = sum_calls(profile);
  EXPECT_EQ(sums.allocation_samples, 4u);
  EXPECT_EQ(sums.bytes, 1'307'265u);
  EXPECT_EQ(profile.call_total().allocation_samples, 4u);
  EXPECT_EQ(profile.call_total().allocated, 10669u);
}

TEST(SampledAllocations, AreWeighedAsLoggedOnesAre) {
  const Profile profile = CallTeller().sample(10, 1, 50, 100'000).sample(20, 2, 100, 100'000).finish();
  EXPECT_EQ(natural_weight(profile), WeightKind::kBytes);
  const Result<Profile> bytes = by_weight(WeightKind::kBytes, profile);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->total_periods(), 200'000u);
  EXPECT_EQ(by_weight(WeightKind::kObjects, profile)->total_periods(), 3'000u);
}

TEST(SampledAllocations, CountInTheTimeAndOnTheThreadAskedFor) {
  CallTeller log;
  log.limit(15, 35);
  log.sample(10, 1, 10, 1'000).sample(20, 1, 10, 1'000).on(2).sample(30, 1, 10, 5'000).sample(40, 2, 10, 1'000);
  Profile profile = log.finish();
  EXPECT_THAT(types_of(profile), ElementsAre("T1 600 6000 2"));
  Filter filter;
  filter.thread = "102";
  apply(filter, profile);
  EXPECT_THAT(types_of(profile), ElementsAre("T1 500 5000 1"));
  EXPECT_EQ(sum_calls(profile).allocation_samples, 1u);
  EXPECT_EQ(profile.call_total().allocation_samples, 4u);
}

TEST(SampledAllocations, StandBesideLoggedCalls) {
  const Profile profile = CallTeller().enter(0, 1).sample(10, 1, 10, 1'000).leave(20, 1).finish();
  EXPECT_THAT(types_of(profile), ElementsAre("T1 100 1000 1"));
  EXPECT_EQ(sum_calls(profile).calls, 1u);
}

TEST(SampledAllocations, DoNotCountWhereEachObjectIsLogged) {
  const Profile profile = CallTeller().allocate(1, 10).sample(10, 1, 10, 1'000).finish();
  EXPECT_THAT(types_of(profile), ElementsAre("T1 1 10 0"));
  EXPECT_EQ(profile.call_total().allocation_samples, 0u);
}

// "M1>M2>T1 bytes", callers first.
std::vector<std::string> ways_of(const Profile& profile) {
  std::vector<std::string> lines;
  const Result<Profile> weighed = by_weight(WeightKind::kBytes, profile);
  for (const Sample& sample : weighed->samples) {
    std::string way;
    for (uint32_t node = sample.node; node != 0; node = weighed->nodes[node].parent)
      way = (weighed->nodes[node].truncated ? ".." : "") + weighed->functions[weighed->nodes[node].function].name +
            (way.empty() ? "" : ">") + way;
    lines.push_back(way + " " + std::to_string(sample.periods));
  }
  return lines;
}

TEST(SampledAllocations, StandOnTheirStacks) {
  CallTeller log;
  const uint64_t main = log.stack(0, 1), left = log.stack(main, 2), right = log.stack(main, 3),
                 make = log.stack(left, 4);
  const uint64_t cut = log.stack(0, 4, true);
  log.with(make).sample(10, 1, 10, 1'000).sample(20, 2, 10, 2'000).sample(30, 1, 10, 3'000);
  log.with(right).sample(40, 1, 10, 4'000).with(cut).sample(50, 1, 10, 5'000).with(0).sample(60, 1, 10, 6'000);
  log.with(999).sample(70, 1, 10, 7'000);
  const Profile profile = log.finish();
  EXPECT_THAT(ways_of(profile), ElementsAre("M1>M2>M4>T1 4000", "M1>M2>M4>T2 2000", "M1>M3>T1 4000", "..M4>T1 5000",
                                            "T1 6000", "[stack not in the log]>T1 7000"));
  std::vector<std::string> sites;
  for (const AllocationTotals& total : allocations_by_site(profile, AttributeTo::kInnermost))
    sites.push_back(profile.functions[total.site].name + " " + std::to_string(total.bytes));
  EXPECT_THAT(sites, ElementsAre(" 13000", "M4 9000", "M3 4000", "M4 2000"));
}

TEST(SampledAllocations, CountForTheNearestOwnMethod) {
  CallTeller log;
  const uint64_t main = log.stack(0, 1), own = log.stack(main, 2), concat = log.stack(own, 4);
  log.with(concat).sample(10, 1, 10, 1'000).with(own).sample(20, 1, 10, 2'000).with(main).sample(30, 1, 10, 500);
  log.with(log.stack(0, 4)).sample(40, 1, 10, 200);
  Profile profile = log.finish();
  for (Function& function : profile.functions)
    function.module = function.name == "M4" ? "System.Private.CoreLib.dll" : "Shop.dll";
  std::vector<std::string> sites;
  for (const AllocationTotals& total : allocations_by_site(profile, AttributeTo::kOwn))
    sites.push_back(profile.functions[total.site].name + " " + std::to_string(total.bytes));
  EXPECT_THAT(sites, ElementsAre("M2 3000", "M1 500", "M4 200"));
}

TEST(SampledAllocations, OnAStackAreFoundByItsMethods) {
  CallTeller log;
  const uint64_t main = log.stack(0, 1), make = log.stack(main, 4);
  log.with(make).sample(10, 1, 10, 1'000).with(main).sample(20, 1, 10, 2'000).enter(30, 5).leave(40, 5);
  Profile profile = log.finish();
  Filter filter;
  filter.method = "M4";
  apply(filter, profile);
  EXPECT_THAT(ways_of(profile), ElementsAre("M1>M4>T1 1000"));
  EXPECT_EQ(sum_calls(profile).calls, 0u);
}

TEST(LoggedAllocations, StandOnTheirStackRatherThanOnLoggedCalls) {
  CallTeller log;
  log.name_method(6, "Shop.List<int>.Add(int)").name_method(7, "Shop.List<T>.Add(T)");
  const uint64_t main = log.stack(0, 1), make = log.stack(main, 4), add = log.stack(main, 6);
  log.enter(0, 1).allocate(1, 10, 1).with(make).allocate(1, 20, 4).allocate(1, 40, 9).with(add).allocate(2, 80, 7);
  log.with(0).leave(50, 1);
  const Profile profile = log.finish();
  // For a generic method, the stack has the instance; M9 was inlined.
  EXPECT_THAT(ways_of(profile),
              ElementsAre("M1>T1 10", "M1>M4>T1 20", "M1>M4>M9>T1 40", "M1>Shop.List<int>.Add(int)>T2 80"));
  EXPECT_EQ(sum_calls(profile).calls, 1u);
}

TEST(SampledAllocations, NonsenseOfACorruptLogIsANumberToo) {
  const Profile profile = CallTeller().sample(1, 1, 0, UINT64_MAX).sample(2, 1, 0, UINT64_MAX).finish();
  EXPECT_GT(sum_calls(profile).objects, 0u);
  const Profile none = CallTeller().sample(1, 1, 8, 0).finish();
  EXPECT_THAT(types_of(none), ElementsAre("T1 0 0 1"));
}

}  // namespace
}  // namespace oriel::profile
