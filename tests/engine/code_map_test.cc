// Code by address and time, under the reuse that a JIT compiler does.
#include "engine/things/code_map.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace oriel {
namespace {

using Answer = CodeMap::Answer;

oriel_method* found(CodeMap& map, uintptr_t address, uint64_t when) {
  CodeRange range;
  return map.find(address, when, range) == Answer::kFound ? range.method : nullptr;
}

TEST(CodeMap, FindsLiveCodeByItsBounds) {
  CodeMap map;
  oriel_method a, b;
  map.add(&a, 0x1000, 0x100, 10);
  map.add(&b, 0x1100, 0x10, 11);
  EXPECT_EQ(found(map, 0x0fff, 20), nullptr);
  EXPECT_EQ(found(map, 0x1000, 20), &a);
  EXPECT_EQ(found(map, 0x10ff, 20), &a);
  EXPECT_EQ(found(map, 0x1100, 20), &b);
  EXPECT_EQ(found(map, 0x1110, 20), nullptr);
}

TEST(CodeMap, TellsMethodsAtOneAddressApartByTime) {
  CodeMap map;
  oriel_method a, b, c;
  map.add(&a, 0x1000, 0x100, 10);
  map.remove(&a, 20);
  map.add(&b, 0x1080, 0x100, 30);
  map.remove(&b, 40);
  map.add(&c, 0x1000, 0x200, 50);
  EXPECT_EQ(found(map, 0x1090, 9), nullptr);
  EXPECT_EQ(found(map, 0x1090, 10), &a);
  EXPECT_EQ(found(map, 0x1090, 19), &a);
  EXPECT_EQ(found(map, 0x1090, 20), nullptr);
  EXPECT_EQ(found(map, 0x1090, 35), &b);
  EXPECT_EQ(found(map, 0x1010, 35), nullptr);
  EXPECT_EQ(found(map, 0x1090, 45), nullptr);
  EXPECT_EQ(found(map, 0x1090, 50), &c);
}

TEST(CodeMap, EndsAllCodeOfAMethodAndOnlyIts) {
  CodeMap map;
  oriel_method a, b;
  map.add(&a, 0x1000, 0x100, 1);
  map.add(&b, 0x2000, 0x100, 2);
  map.add(&a, 0x3000, 0x100, 3);  // a tier
  map.remove(&a, 10);
  EXPECT_EQ(found(map, 0x1000, 11), nullptr);
  EXPECT_EQ(found(map, 0x3000, 11), nullptr);
  EXPECT_EQ(found(map, 0x3000, 5), &a);
  EXPECT_EQ(found(map, 0x2000, 11), &b);
  map.remove(&a, 12);
}

TEST(CodeMap, NewCodeEndsWhatLaysInItsWay) {
  CodeMap map;
  oriel_method a, b, c, d;
  map.add(&a, 0x1000, 0x100, 1);
  map.add(&b, 0x1100, 0x100, 1);
  map.add(&c, 0x1200, 0x100, 1);
  map.add(&d, 0x1080, 0x200, 5);
  EXPECT_EQ(found(map, 0x1040, 6), nullptr);
  EXPECT_EQ(found(map, 0x1150, 6), &d);
  EXPECT_EQ(found(map, 0x1290, 6), nullptr);
  EXPECT_EQ(found(map, 0x1150, 4), &b);
  EXPECT_EQ(found(map, 0x1290, 4), &c);
}

TEST(CodeMap, CodeOverManyPagesIsFoundInEachAfterItsDeath) {
  CodeMap map;
  oriel_method a;
  map.add(&a, 0x1800, 0x5000, 1);
  map.remove(&a, 2);
  for (uintptr_t address = 0x1800; address < 0x6800; address += 0x400) EXPECT_EQ(found(map, address, 1), &a);
  EXPECT_EQ(found(map, 0x6800, 1), nullptr);
}

TEST(CodeMap, LearntCodeCountsFromTheDeathOfWhatWasThere) {
  CodeMap map;
  oriel_method old, precompiled;
  CodeRange range;
  map.add(&old, 0x1000, 0x100, 10);
  map.remove(&old, 20);
  EXPECT_EQ(map.find(0x1040, 25, range), Answer::kUnknown);
  ASSERT_TRUE(map.learn(&precompiled, 0x1040, 0x100, map.removals(), range));
  EXPECT_EQ(range.born, 20u);
  EXPECT_EQ(found(map, 0x1050, 15), &old);
  EXPECT_EQ(found(map, 0x1050, 21), &precompiled);
  EXPECT_EQ(found(map, 0x1110, 15), nullptr);
}

TEST(CodeMap, DoesNotAskForTimesBeforeWhatIsThereNow) {
  CodeMap map;
  oriel_method a;
  CodeRange range;
  map.add(&a, 0x1000, 0x100, 10);
  EXPECT_EQ(map.find(0x1000, 5, range), Answer::kNone);
  EXPECT_EQ(map.find(0x2000, 5, range), Answer::kUnknown);
}

TEST(CodeMap, DoesNotKeepAnAnswerThatARemovalMayHaveOvertaken) {
  CodeMap map;
  oriel_method a, other;
  CodeRange range;
  const uint64_t before = map.removals();
  map.remove(&other, 1);
  EXPECT_TRUE(map.learn(&a, 0x1000, 0x100, before, range));
  EXPECT_EQ(range.method, &a);
  EXPECT_EQ(found(map, 0x1000, 5), nullptr);
  a.unloaded = true;
  map.learn(&a, 0x1000, 0x100, map.removals(), range);
  EXPECT_EQ(found(map, 0x1000, 5), nullptr);
}

TEST(CodeMap, ForgetsWhatDiedLongAgo) {
  CodeMap map;
  constexpr uint64_t kMethods = 40'000;
  std::vector<oriel_method> methods(kMethods);
  for (uint64_t i = 0; i < kMethods; ++i) {
    map.add(&methods[i], 0x1000 + i % 3 * 0xf00, 0x1100, i * 2 + 1);  // over two pages
    map.remove(&methods[i], i * 2 + 2);
  }
  const auto method_of = [&](uint64_t i) { return found(map, 0x1f80 + i % 3 * 0xf00, i * 2 + 1); };
  EXPECT_EQ(method_of(0), nullptr);
  EXPECT_EQ(method_of(kMethods - 32'769), nullptr);
  for (uint64_t i = kMethods - 32'768; i < kMethods; ++i) ASSERT_EQ(method_of(i), &methods[i]);
}

TEST(CodeMap, DoesNotTakeImpossibleRanges) {
  CodeMap map;
  oriel_method a;
  map.add(&a, 0x1000, 0, 1);
  map.add(&a, 0x1000, SIZE_MAX, 1);
  map.add(&a, UINTPTR_MAX - 8, 0x100, 1);
  EXPECT_EQ(found(map, 0x1000, 2), nullptr);
  EXPECT_EQ(found(map, UINTPTR_MAX, 2), nullptr);
}

TEST(CodeMap, ReuseByManyMethodsWhileOthersLookUp) {
  CodeMap map;
  constexpr int kRounds = 20'000;
  std::vector<oriel_method> methods(kRounds);
  std::atomic<int> round{0};
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      const int now = round;
      // Times are rounds: [2n, 2n + 1) is method n's.
      for (int back = 1; back < 20 && back <= now; ++back) {
        ASSERT_EQ(found(map, 0x5010, 2u * (now - back)), &methods[now - back]);
        ASSERT_EQ(found(map, 0x5010, 2u * (now - back) + 1), nullptr);
      }
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    map.add(&methods[i], 0x5000, 0x40, 2u * i);
    map.remove(&methods[i], 2u * i + 1);
    round = i + 1;
  }
  done = true;
  reader.join();
  for (int i = 0; i < kRounds; ++i) ASSERT_EQ(found(map, 0x5010, 2u * i), &methods[i]);
}

}  // namespace
}  // namespace oriel
