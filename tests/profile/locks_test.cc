#include "profile/waiting/locks.h"

#include <gtest/gtest.h>

#include <string>

#include "profile/merge.h"

namespace oriel::profile {
namespace {

constexpr int64_t kMs = 1'000'000;

Profile empty_profile() {
  Profile profile;
  profile.functions.resize(1);
  profile.nodes.resize(1);
  profile.threads.resize(4);
  profile.processes.resize(1);
  profile.origins.push_back({log::Origin::kProject, "Shop"});
  profile.sampling_mode = "process";
  profile.sampling_hz = 250;
  return profile;
}

class LocksTest : public ::testing::Test {
 protected:
  uint32_t own(const std::string& name) {
    Function made;
    made.name = name;
    made.managed = true;
    made.origin = 1;
    made.module = "Shop.dll";
    profile_.functions.push_back(made);
    profile_.nodes.push_back({0, static_cast<uint32_t>(profile_.functions.size() - 1), false});
    return static_cast<uint32_t>(profile_.nodes.size() - 1);
  }
  uint32_t type(const std::string& name) {
    Function made;
    made.name = name;
    made.type = true;
    profile_.functions.push_back(made);
    return static_cast<uint32_t>(profile_.functions.size() - 1);
  }
  void wait(uint32_t thread, int64_t from_ms, int64_t to_ms, uint32_t owner = LockWait::kNobody, uint64_t lock = 7) {
    profile_.lock_waits.push_back({to_ms * kMs, (to_ms - from_ms) * kMs, lock, thread, owner, till_type_, pay_});
  }
  // A sample of that many periods of 4 ms, ending at that time.
  void sample(uint32_t thread, int64_t to_ms, uint32_t node, uint64_t periods) {
    profile_.samples.push_back({to_ms * kMs, thread, node, periods});
  }

  Profile profile_ = empty_profile();
  const uint32_t till_type_ = type("Shop.Till");
  const uint32_t pay_ = own("Shop.Till.Pay()");
  const uint32_t count_ = own("Shop.Till.Count()");
  const uint32_t greet_ = own("Shop.Till.Greet()");
};

TEST_F(LocksTest, OfOnePlaceAreOneRow) {
  wait(1, 10, 30);
  wait(2, 10, 50);
  wait(1, 100, 110, LockWait::kNobody, 8);
  const auto places = lock_places(profile_);
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0].type, till_type_);
  EXPECT_EQ(places[0].own, pay_);
  EXPECT_EQ(places[0].waited_ns, 70 * kMs);
  EXPECT_EQ(places[0].waits, 3u);
  EXPECT_EQ(places[0].longest_ns, 40 * kMs);
  EXPECT_EQ(places[0].threads, 2u);
  EXPECT_EQ(places[0].locks, 2u);
  EXPECT_DOUBLE_EQ(places[0].at_once, 70.0 / 50) << "of one lock two waited for 20 ms, one for 20; of the other one";
}

TEST_F(LocksTest, AreTakenByWhoCallsMonosFunctionForThat) {
  const auto called_by = [&](uint32_t caller, const char* name) {
    const uint32_t node = own(name);
    profile_.functions.back().origin = 0;
    profile_.functions.back().module = "System.dll";
    profile_.nodes.back().parent = caller;
    return node;
  };
  const char* const kEnter =
      "object.[managed-to-native] __icall_wrapper_mono_monitor_enter_v4_internal(object, ref bool)";
  const uint32_t add = called_by(count_, "System.Collections.Hashtable.Add(object)");
  profile_.lock_waits.push_back({30 * kMs, 20 * kMs, 7, 1, LockWait::kNobody, till_type_, called_by(pay_, kEnter)});
  profile_.lock_waits.push_back({30 * kMs, 10 * kMs, 8, 1, LockWait::kNobody, till_type_, called_by(add, kEnter)});
  const auto places = lock_places(profile_);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].taken_by, 0u);
  EXPECT_EQ(profile_.functions[places[1].taken_by].name, "System.Collections.Hashtable.Add(object)");
}

TEST_F(LocksTest, ShortOnesStandForThoseThatTheLogLeftOut) {
  profile_.lock_waits.push_back({kMs, kMs / 100, 7, 1, LockWait::kNobody, till_type_, pay_});
  const auto places = lock_places(profile_);
  EXPECT_EQ(places[0].waits, 100u);
  EXPECT_EQ(places[0].waited_ns, kMs);
  EXPECT_EQ(places[0].longest_ns, kMs / 100);
}

TEST_F(LocksTest, AreHeldWhereTheirOwnersAreMeanwhile) {
  wait(1, 10, 30, 3);
  sample(3, 8, greet_, 1);   // before
  sample(3, 22, count_, 3);  // 10 to 22
  sample(3, 50, greet_, 5);  // after
  sample(2, 22, greet_, 3);  // another thread
  const auto places = lock_places(profile_);
  ASSERT_EQ(places[0].held.size(), 1u);
  EXPECT_EQ(places[0].held[0].own, count_);
  EXPECT_EQ(places[0].held[0].held_ns, 12 * kMs);
}

TEST_F(LocksTest, HaveTheNextOwnerWhereTheWaitOfOneEnds) {
  wait(1, 10, 30, 3);
  wait(2, 10, 50, 3);
  sample(3, 30, count_, 5);
  sample(1, 50, greet_, 5);
  const auto places = lock_places(profile_);
  ASSERT_EQ(places[0].held.size(), 2u);
  EXPECT_EQ(places[0].held[0].own, count_);
  EXPECT_EQ(places[0].held[0].held_ns, 40 * kMs) << "two waited";
  EXPECT_EQ(places[0].held[1].own, greet_);
  EXPECT_EQ(places[0].held[1].held_ns, 20 * kMs);
}

TEST_F(LocksTest, AreNotHeldWhereTheirOwnersWaitForThemAgain) {
  wait(1, 10, 30, 3);
  profile_.waits.push_back({30 * kMs, 3, pay_, 5});
  EXPECT_TRUE(lock_places(profile_)[0].held.empty());
}

TEST_F(LocksTest, AreKeptByTheFilterByTimeThreadAndMethod) {
  profile_.threads[1].name = "one";
  profile_.threads[2].name = "two";
  wait(1, 10, 30);
  wait(1, 100, 130);
  wait(2, 10, 30);
  Filter filter;
  filter.thread = "one";
  filter.from_ns = 50 * kMs;
  apply(filter, profile_);
  ASSERT_EQ(profile_.lock_waits.size(), 1u);
  EXPECT_EQ(profile_.lock_waits[0].end_ns, 130 * kMs);
  filter.method = "Greet";
  apply(filter, profile_);
  EXPECT_TRUE(profile_.lock_waits.empty());
}

TEST_F(LocksTest, OfTwoProcessesAreDifferentOnes) {
  wait(1, 10, 30, 2);
  const Profile whole = merge({profile_, profile_});
  ASSERT_EQ(whole.lock_waits.size(), 2u);
  const auto places = lock_places(whole);
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0].locks, 2u);
  EXPECT_EQ(places[0].threads, 2u);
  EXPECT_EQ(whole.functions[places[0].type].name, "Shop.Till");
}

}  // namespace
}  // namespace oriel::profile
