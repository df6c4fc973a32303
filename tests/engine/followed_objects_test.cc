// Which sampled objects are followed, and which a look finds to be gone.
#include "engine/followed_objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A handle is its object's address; those in `collected` are empty.
class Handles final : public WeakHandles {
 public:
  uintptr_t make(uintptr_t object) override {
    if (refuses) return 0;
    ++made;
    return object;
  }
  bool is_empty(uintptr_t handle) override { return collected.contains(handle); }
  void free(uintptr_t) override { ++freed; }

  bool refuses = false;
  std::set<uintptr_t> collected;
  std::atomic<size_t> made{0}, freed{0};
};

TEST(FollowedObjects, AreToldWhenACollectionHasTakenThem) {
  Handles handles;
  FollowedObjects followed(handles);
  EXPECT_EQ(followed.follow(1, 100), 0u) << "nobody wants to know";
  followed.turn(true);
  EXPECT_EQ(followed.follow(101, 100), 1u);
  EXPECT_EQ(followed.follow(102, 100), 2u);
  EXPECT_EQ(followed.follow(103, 100), 3u);
  EXPECT_THAT(followed.look(true, 0).gone, IsEmpty());
  handles.collected = {101, 103};
  EXPECT_THAT(followed.look(true, 0).gone, ElementsAre(1, 3));
  EXPECT_THAT(followed.look(true, 0).gone, IsEmpty()) << "told once";
  EXPECT_EQ(handles.freed, 2u);
}

TEST(FollowedObjects, OfBeforeTheLastLookOnlyFullCollectionsTell) {
  Handles handles;
  FollowedObjects followed(handles);
  followed.turn(true);
  followed.follow(101, 100);
  followed.look(false, 0);
  followed.follow(102, 100);
  handles.collected = {101, 102};
  EXPECT_THAT(followed.look(false, 0).gone, ElementsAre(2));
  EXPECT_THAT(followed.look(true, 0).gone, ElementsAre(1));
}

TEST(FollowedObjects, AreAPartWhereTheyAreMany) {
  Handles handles;
  FollowedObjects followed(handles);
  followed.turn(true);
  for (uintptr_t i = 1; i <= FollowedObjects::kMost; ++i) EXPECT_EQ(followed.follow(i, 100), i);
  EXPECT_EQ(followed.follow(1, 100), 0u) << "there is no room";
  FollowedObjects::Found found = followed.look(false, 0);
  EXPECT_EQ(found.part, 2u);
  EXPECT_THAT(found.gone, IsEmpty());
  EXPECT_EQ(handles.freed, FollowedObjects::kMost / 2);
  EXPECT_EQ(followed.look(true, 0).part, 0u) << "half of the room is free";
  handles.collected = {1, 2, 3, 4};
  EXPECT_THAT(followed.look(true, 0).gone, ElementsAre(2, 4));
  EXPECT_EQ(followed.follow(5, 100), FollowedObjects::kMost + 2);
  EXPECT_EQ(followed.follow(5, 100), 0u) << "not a multiple";
}

TEST(FollowedObjects, AreAPartWhereTheyComeOften) {
  constexpr uint64_t kSecond = 1'000'000'000;
  Handles handles;
  FollowedObjects followed(handles);
  followed.turn(true);
  const auto follow = [&](uint64_t many) {
    for (uintptr_t i = 1; i <= many; ++i) followed.follow(i, 100);
  };
  follow(1'000);
  EXPECT_EQ(followed.look(false, 5 * kSecond).part, 0u) << "since when is not known";
  follow(1'000);
  EXPECT_EQ(followed.look(false, 6 * kSecond).part, 0u);
  follow(1'000);
  EXPECT_EQ(followed.look(false, 6 * kSecond + kSecond / 4).part, 2u);
  follow(100);
  EXPECT_EQ(followed.look(false, 6 * kSecond + kSecond / 4 + 1).part, 0u) << "few";
}

TEST(FollowedObjects, OfAPartAreTheLargeOnes) {
  Handles handles;
  FollowedObjects followed(handles);
  followed.turn(true);
  EXPECT_EQ(followed.follow(1, 150'000), 1u);
  EXPECT_EQ(followed.follow(2, 250'000), 2u);
  EXPECT_EQ(followed.follow(3, 250'000), 3u);
  for (uintptr_t i = 4; i <= FollowedObjects::kMost; ++i) followed.follow(i, 100);
  EXPECT_EQ(followed.look(true, 0).part, 2u);
  handles.collected = {1, 2, 3};
  EXPECT_THAT(followed.look(true, 0).gone, ElementsAre(2, 3)) << "1 is no longer followed";
  EXPECT_NE(followed.follow(5, 250'000), 0u);
  EXPECT_NE(followed.follow(6, 250'000), 0u);
}

TEST(FollowedObjects, AreLetGoWhenNobodyWantsToKnow) {
  Handles handles;
  FollowedObjects followed(handles);
  followed.turn(true);
  followed.follow(101, 100);
  followed.turn(false);
  EXPECT_EQ(handles.freed, 1u);
  EXPECT_EQ(followed.follow(102, 100), 0u);
  EXPECT_THAT(followed.look(true, 0).gone, IsEmpty());
  followed.turn(true);
  EXPECT_EQ(followed.follow(103, 100), 2u) << "no number comes again";
}

TEST(FollowedObjects, AreNotWhereTheRuntimeRefuses) {
  Handles handles;
  FollowedObjects followed(handles);
  followed.turn(true);
  handles.refuses = true;
  EXPECT_EQ(followed.follow(101, 100), 0u);
  EXPECT_THAT(followed.look(true, 0).gone, IsEmpty());
}

// Threads allocate while a background collection ends, and while following is turned off and on.
TEST(FollowedObjects, OfManyThreadsHaveEachAHandleThatIsFreedOnce) {
  Handles handles;
  FollowedObjects followed(handles);
  followed.turn(true);
  std::atomic<bool> done{false};
  std::atomic<size_t> begun{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (uintptr_t object = 1; object <= 20'000; ++object) begun += followed.follow(object, 100) != 0;
    });
  }
  threads.emplace_back([&] {
    for (bool all = false; !done; all = !all) followed.look(all, 0);
  });
  threads.emplace_back([&] {
    for (bool on = false; !done; on = !on) followed.turn(on);
  });
  for (size_t i = 0; i < 4; ++i) threads[i].join();
  done = true;
  for (size_t i = 4; i < threads.size(); ++i) threads[i].join();
  followed.turn(false);
  EXPECT_EQ(handles.made, begun);
  EXPECT_EQ(handles.freed, begun);
}

TEST(FollowedObjects, ThatWereChosenAreEachFollowed) {
  Handles handles;
  FollowedObjects followed(handles);
  EXPECT_EQ(followed.follow_pinned(1, 100), 0u) << "nobody wants to know";
  followed.turn(true);
  const uint32_t count = FollowedObjects::kMost * 3;
  followed.look(true, 0);
  for (uint32_t i = 1; i <= count; ++i) ASSERT_EQ(followed.follow_pinned(1000 + i, 100), i);
  EXPECT_EQ(followed.look(true, 1000).part, 0u) << "however many come in a microsecond";
  handles.collected = {1001, 1000 + count};
  EXPECT_THAT(followed.look(true, 2000).gone, ElementsAre(1, count));
  handles.refuses = true;
  EXPECT_EQ(followed.follow_pinned(1, 100), 0u);
}

}  // namespace
}  // namespace oriel
