// When the heap's growth is worth asking what grows.
#include "heap_watch.h"

#include <gtest/gtest.h>

namespace oriel::log_module {
namespace {

constexpr uint64_t kMega = 1'000'000;

void add(HeapWatch& watch, std::initializer_list<uint64_t> sizes, uint32_t generation = 1) {
  for (const uint64_t size : sizes) watch.add(generation, size * kMega);
}

TEST(HeapWatch, SeesAHeapThatGrows) {
  HeapWatch watch;
  add(watch, {2, 4, 7, 9, 11, 13});
  EXPECT_FALSE(watch.grows()) << "by little yet";
  add(watch, {15, 18});
  EXPECT_TRUE(watch.grows());
}

TEST(HeapWatch, SeesNoneWhereCollectionsTakeItAllAgain) {
  HeapWatch watch;
  for (int i = 0; i < 100; ++i) add(watch, {10, 40, 12, 60, 11});
  EXPECT_FALSE(watch.grows());
}

TEST(HeapWatch, LeavesOutWhatYoungCollectionsLeave) {
  HeapWatch watch;
  add(watch, {2, 20, 40, 80, 160}, 0);
  EXPECT_FALSE(watch.grows());
}

TEST(HeapWatch, NoLongerLooksWhereTheHeapStandsStill) {
  HeapWatch watch;
  add(watch, {2, 2, 2, 100, 100, 100});
  EXPECT_TRUE(watch.grows()) << "it reads what it works on";
  for (int i = 0; i < 100; ++i) add(watch, {101});
  EXPECT_FALSE(watch.grows());
  add(watch, {120, 140, 145});
  EXPECT_FALSE(watch.grows());
  add(watch, {165, 170, 180});
  EXPECT_TRUE(watch.grows());
}

TEST(HeapWatch, LooksAsLongAsTheHeapGrowsSlowly) {
  HeapWatch watch;
  for (uint64_t size = 1; size < 1000; ++size) add(watch, {size});
  EXPECT_TRUE(watch.grows());
}

}  // namespace
}  // namespace oriel::log_module
