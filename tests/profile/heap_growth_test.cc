// Heap sizes after collections: a leak is reported only if it is clear.
#include "profile/memory/heap_growth.h"

#include <gtest/gtest.h>

#include "profile/build/builder.h"
#include "shop/shop_log.h"

namespace oriel::profile {
namespace {

constexpr uint64_t kMega = 1'000'000;

// Full collections, one per second, that leave that many megabytes.
Profile run(std::initializer_list<uint64_t> sizes) {
  Profile profile;
  for (const uint64_t size : sizes) {
    Collection collection;
    collection.generation = 2;
    collection.start_ns = static_cast<int64_t>(profile.collections.size()) * 1'000'000'000;
    collection.heap.emplace();
    collection.heap->bytes[HeapSizes::kGeneration2] = size * kMega;
    profile.collections.push_back(collection);
  }
  return profile;
}

TEST(HeapGrowth, ThatGoesOnIsPlain) {
  const auto growth = heap_growth(run({12, 20, 31, 39, 52, 60}));
  ASSERT_TRUE(growth);
  EXPECT_TRUE(growth->goes_on);
  EXPECT_EQ(growth->first, 12 * kMega);
  EXPECT_EQ(growth->last, 60 * kMega);
  EXPECT_EQ(growth->ns, 5'000'000'000);
  EXPECT_TRUE(heap_growth(run({10, 40, 130}))->goes_on);
}

TEST(HeapGrowth, IsNotWhatIsFilledOnceOrFallsAgainOrIsLittle) {
  EXPECT_FALSE(heap_growth(run({12, 300, 301, 300, 302, 303, 301, 304, 302}))->goes_on);
  EXPECT_FALSE(heap_growth(run({12, 100, 200, 300, 40, 30}))->goes_on);
  EXPECT_FALSE(heap_growth(run({100, 120, 140, 160, 170, 180}))->goes_on);
  EXPECT_FALSE(heap_growth(run({1, 2, 3, 4, 5, 6}))->goes_on);
  EXPECT_FALSE(heap_growth(run({10, 100}))->goes_on);
}

TEST(HeapGrowth, IsNotWhatOtherCollectionsFindTheSameFromThenOn) {
  Profile profile = run({20, 60, 120, 180});
  ASSERT_TRUE(heap_growth(profile)->goes_on);
  for (int second = 4; second < 14; ++second) {
    Collection young = profile.collections.back();
    young.generation = second % 2;
    young.start_ns = second * 1'000'000'000ll;
    profile.collections.push_back(young);
  }
  EXPECT_FALSE(heap_growth(profile)->goes_on);
  for (Collection& young : profile.collections)
    if (young.generation < 2) young.heap->bytes[HeapSizes::kGeneration1] = static_cast<uint64_t>(young.start_ns) / 50;
  EXPECT_TRUE(heap_growth(profile)->goes_on);
}

// A slow start takes most of the time: what came after it is only in the last third.
TEST(HeapGrowth, IsNotWhatStayedTheSameInTheLastThird) {
  const auto then = [](std::initializer_list<uint64_t> last) {
    Profile profile = run({20, 60, 100, 140, 180, 220, 260, 300});
    for (const uint64_t size : last) {
      Collection young = profile.collections.back();
      young.generation = 0;
      young.start_ns += 500'000'000;
      young.heap->bytes[HeapSizes::kGeneration2] = size * kMega;
      profile.collections.push_back(young);
    }
    return heap_growth(profile)->goes_on;
  };
  EXPECT_FALSE(then({310, 304, 303, 305, 304, 306, 303, 305}));
  EXPECT_TRUE(then({320, 340, 355, 380, 400, 415, 440, 460}));
}

TEST(HeapGrowth, OfTwoFullCollectionsIsPlainWhereOthersShowItToo) {
  Profile profile = run({20, 30, 40, 60, 70, 90, 110});
  for (const size_t young : {0, 2, 3, 5, 6}) profile.collections[young].generation = 1;
  ASSERT_TRUE(heap_growth(profile)->goes_on);
  EXPECT_EQ(heap_growth(profile)->collections, 2u);
  profile.collections[4].heap->bytes[HeapSizes::kGeneration2] = 31 * kMega;
  EXPECT_FALSE(heap_growth(profile)->goes_on) << "what others left a full one took";
}

TEST(HeapGrowth, IsNotKnownOfAProgramThatNoLongerAllocates) {
  Profile profile = run({20, 60, 120, 180});
  profile.wall_ns = 20'000'000'000;
  EXPECT_FALSE(heap_growth(profile)->goes_on);
}

TEST(HeapGrowth, IsOfFullCollections) {
  Profile profile = run({10, 20, 30});
  for (Collection& collection : profile.collections) collection.generation = 1;
  EXPECT_FALSE(heap_growth(profile));
  EXPECT_EQ(heap_history(profile)->last.total(), 30 * kMega);
  EXPECT_EQ(heap_history(profile)->collections, 3u);
}

TEST(HeapGrowth, OfSeveralProcessesIsNone) {
  Profile profile = run({10, 40, 130});
  profile.processes.resize(2);
  EXPECT_FALSE(heap_growth(profile));
  EXPECT_FALSE(heap_history(profile));
}

TEST(HeapSizes, AreThoseOfTheCollectionOfTheirNumber) {
  Builder builder;
  builder.on_intro(testing::shop_intro());
  builder.on_clock(testing::clock_at(0));
  builder.on_event(testing::event_at(1, 1, "gc_begin", {1, 2, 0}));
  builder.on_event(testing::event_at(2, 1, "gc_begin", {2, 0, 0}));
  builder.on_event(testing::event_at(3, 1, "gc_heap", {2, 1, 2, 3, 4, 5, UINT64_MAX}));
  builder.on_event(testing::event_at(3, 1, "gc_end", {2, 0}));
  const Profile profile = builder.finish({});
  EXPECT_FALSE(profile.collections.at(0).heap);
  ASSERT_TRUE(profile.collections.at(1).heap);
  EXPECT_EQ(profile.collections[1].heap->bytes[HeapSizes::kLarge], 4u);
  EXPECT_GT(profile.collections[1].heap->total(), 15u);
}

}  // namespace
}  // namespace oriel::profile
