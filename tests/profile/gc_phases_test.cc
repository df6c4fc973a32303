#include "profile/memory/gc_phases.h"

#include <gmock/gmock.h>

#include "oriel/oriel.h"
#include "profile/build/builder.h"
#include "profile/shop/shop_log.h"

namespace oriel::profile {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kUs = 1'000;

class GcPhases : public ::testing::Test {
 protected:
  GcPhases() {
    builder_.on_intro(testing::shop_intro());
    builder_.on_thread({1, 101, true, "main"});
    builder_.on_thread({2, 102, false, ".NET BGC"});
  }
  void event(uint64_t ms, uint64_t thread, const char* name, std::initializer_list<uint64_t> values) {
    builder_.on_event(testing::event_at(ms, thread, name, values));
  }
  // Suspends threads for 1 ms and collects for 16 ms.
  void tell_pause() {
    event(10, 1, "suspend_begin", {ORIEL_SUSPEND_GC});
    event(11, 1, "suspend_end", {ORIEL_SUSPEND_GC});
    event(11, 1, "gc_begin", {1, 1, 0});
  }
  void tell_resumed() {
    event(27, 1, "gc_end", {1, 1});
    event(27, 1, "resume_end", {ORIEL_SUSPEND_GC, 17 * testing::kMs});
  }
  void tell_marks(uint64_t thread, uint64_t heap) {
    event(13, thread, "gc_marked", {heap, ORIEL_GC_ROOTS_STACKS, 0});
    event(14, thread, "gc_marked", {heap, ORIEL_GC_ROOTS_HANDLES, 0});
  }
  // "stop 1 mark-stacks 2": milliseconds
  static std::string text(const GcPhaseTimes& times) {
    std::string result;
    for (size_t i = 0; i < kGcPhases; ++i) {
      if (times[i] == 0) continue;
      result += std::string(result.empty() ? "" : " ") + gc_phase_key(static_cast<GcPhase>(i)) + " " +
                std::to_string(times[i] / 1'000'000);
    }
    return result;
  }
  static std::string at(const GcPhaseFinder& finder, int64_t ms, uint32_t thread) {
    const GcPhase* phase = finder.at(ms * 1'000'000, thread);
    return phase ? gc_phase_key(*phase) : "";
  }

  // "1 gen2 background 11-25 paused 5, 2 gen1 …": milliseconds
  static std::string collections_of(const Profile& profile) {
    std::string result;
    for (const Collection& one : profile.collections)
      result += (result.empty() ? "" : ", ") + std::to_string(one.number) + " gen" + std::to_string(one.generation) +
                (one.background ? " background " : " ") + std::to_string(one.start_ns / 1'000'000) + "-" +
                std::to_string(one.end_ns / 1'000'000) + " paused " + std::to_string(one.pause_ns / 1'000'000);
    return result;
  }

  Builder builder_;
};

TEST_F(GcPhases, FillThePauseInTheirOrder) {
  tell_pause();
  tell_marks(1, 0);
  event(26, 1, "gc_phases", {0, 4000 * kUs, 0, 1000 * kUs, 3000 * kUs, 2000 * kUs, 4000 * kUs, 0});
  tell_resumed();
  const Profile profile = builder_.finish({});
  ASSERT_EQ(profile.collections.size(), 1u);
  EXPECT_EQ(text(profile.collections[0].phases),
            "stop 1 mark-stacks 2 mark-handles 1 mark-finalizers 1 mark-others 1 plan 3 relocate 2 compact 4 other 2");
  const GcPhaseFinder finder(profile);
  EXPECT_EQ(at(finder, 9, 0), "");
  EXPECT_EQ(at(finder, 10, 0), "stop");
  EXPECT_EQ(at(finder, 12, 0), "mark-stacks");
  EXPECT_EQ(at(finder, 17, 0), "plan");
  EXPECT_EQ(at(finder, 26, 0), "other");
  EXPECT_EQ(at(finder, 27, 0), "");
}

TEST_F(GcPhases, OfAThreadThatMarksBesideOthersAreItsOwn) {
  tell_pause();
  tell_marks(1, 0);
  event(15, 2, "gc_marked", {1, ORIEL_GC_ROOTS_STACKS, 0});
  event(26, 1, "gc_phases", {0, 4000 * kUs, 0, 0, 0, 0, 0, 9000 * kUs});
  tell_resumed();
  const Profile profile = builder_.finish({});
  EXPECT_EQ(text(profile.collections[0].phases), "stop 1 mark-stacks 2 mark-handles 1 mark-others 1 sweep 9 other 3");
  const GcPhaseFinder finder(profile);
  EXPECT_EQ(at(finder, 14, 0), "mark-others");
  EXPECT_EQ(at(finder, 14, 1), "mark-stacks");
}

TEST_F(GcPhases, OfABackgroundCollectionLieBesideTheProgramToo) {
  event(10, 2, "suspend_begin", {ORIEL_SUSPEND_GC});
  event(11, 2, "suspend_end", {ORIEL_SUSPEND_GC});
  event(11, 2, "gc_begin", {1, 2, 0});
  event(11, 2, "gc_triggered", {1, 0, 1});
  event(12, 2, "gc_marked", {0, ORIEL_GC_ROOTS_STACKS, 0});
  event(13, 2, "gc_end", {1, 2});
  event(13, 2, "resume_end", {ORIEL_SUSPEND_GC, 3 * testing::kMs});
  event(20, 2, "suspend_begin", {ORIEL_SUSPEND_GC_PREPARE});
  event(21, 2, "suspend_end", {ORIEL_SUSPEND_GC_PREPARE});
  event(25, 2, "resume_end", {ORIEL_SUSPEND_GC_PREPARE, 5 * testing::kMs});
  event(40, 2, "gc_phases", {1, 2000 * kUs, 1000 * kUs, 0, 0, 0, 0, 0});
  const Profile profile = builder_.finish({});
  EXPECT_EQ(collections_of(profile), "1 gen2 background 11-40 paused 5, 2 gen1 11-13 paused 3");
  const GcPhaseFinder finder(profile);
  std::vector<std::string> found;
  for (const int64_t ms : {11, 12, 15, 20, 22, 23, 24, 30, 41}) found.push_back(at(finder, ms, 1));
  EXPECT_THAT(found, ElementsAre("mark-stacks", "other", "background-mark", "stop", "mark-others", "weak", "other",
                                 "background-sweep", ""));
  EXPECT_EQ(at(finder, 15, 0), "") << "the program's own thread";
}

// The thread lost its processor between its measurement of the pause's begin, or end, and the event.
TEST_F(GcPhases, BelongToTheirOwnCollectionHoweverLateTheEventOfTheirPause) {
  const auto collection = [&](uint64_t ms, uint64_t number, uint64_t measured, uint64_t end_of_events) {
    event(ms, 1, "suspend_begin", {ORIEL_SUSPEND_GC});
    event(ms + 1, 1, "suspend_end", {ORIEL_SUSPEND_GC});
    event(ms + 2, 1, "gc_begin", {number, 0, ORIEL_GC_REASON_INDUCED});
    event(ms + 3, 1, "gc_end", {number, 0});
    event(end_of_events, 1, "resume_end", {ORIEL_SUSPEND_GC, measured * testing::kMs});
  };
  collection(20, 1, 13, 24);  // it began at 11
  collection(25, 2, 4, 40);   // it ended at 29
  collection(41, 3, 4, 45);
  const Profile profile = builder_.finish({});
  EXPECT_EQ(collections_of(profile), "1 gen0 22-23 paused 13, 2 gen0 27-28 paused 4, 3 gen0 43-44 paused 4");
  std::vector<std::string> phases;
  for (const Collection& one : profile.collections) phases.push_back(text(one.phases));
  EXPECT_THAT(phases, ElementsAre("stop 10 collecting 3", "stop 1 collecting 3", "stop 1 collecting 3"));
  for (const Pause& pause : profile.pauses) EXPECT_GE(pause.start_ns, 11'000'000);
}

// As CoreCLR reports them: the background collection's begin, and the short one's end with its number.
class ShortOnes : public GcPhases, public ::testing::WithParamInterface<bool> {};

TEST_P(ShortOnes, ThatBackgroundCollectionsBeginWithAreCountedAndNumberedAsTheRuntimeDoes) {
  const bool triggers = GetParam();
  const auto pause = [&](uint64_t ms, uint64_t number, uint64_t generation, std::initializer_list<uint64_t> told) {
    event(ms, 1, "suspend_begin", {ORIEL_SUSPEND_GC});
    event(ms, 1, "gc_begin", {number, generation, 0});
    uint64_t runtimes = 0;
    for (const uint64_t trigger : told) {
      runtimes = runtimes == 0 ? number + (number > 2 ? 1 : 0) : runtimes + 1;
      if (triggers) event(ms, 1, "gc_triggered", {runtimes, trigger, told.size() > 1 && trigger == 1});
    }
    event(ms + 4, 1, "gc_heap", {number, ms, 0, 0, 0, 0, 0});
    event(ms + 4, 1, "gc_end", {number, generation});
    event(ms + 5, 1, "resume_end", {ORIEL_SUSPEND_GC, 5 * testing::kMs});
  };
  pause(10, 1, 0, {2});
  pause(20, 2, 2, {1, 0});
  pause(30, 3, 0, {3});
  event(40, 2, "suspend_begin", {ORIEL_SUSPEND_GC_PREPARE});
  event(42, 2, "resume_end", {ORIEL_SUSPEND_GC_PREPARE, 2 * testing::kMs});
  event(44, 2, "gc_heap", {2, 7, 0, 0, 0, 0, 0});
  event(45, 2, "gc_end", {2, 2});
  pause(50, 4, 2, {4});
  const Profile profile = builder_.finish({});
  EXPECT_EQ(collections_of(profile),
            "1 gen0 10-14 paused 5, 2 gen2 background 20-45 paused 2, 3 gen1 20-24 paused 5, 4 gen0 30-34 paused 5, "
            "5 gen2 50-54 paused 5");
  std::vector<uint64_t> heaps, why;
  for (const Collection& one : profile.collections) {
    heaps.push_back(one.heap ? one.heap->total() : 0);
    if (triggers) why.push_back(one.detail ? one.detail->trigger : GcDetail::kNotReported);
  }
  EXPECT_THAT(heaps, ElementsAre(10, 7, 20, 30, 50));
  if (triggers) {
    EXPECT_THAT(why, ElementsAre(2, 1, 0, 3, 4));
  }
}
INSTANTIATE_TEST_SUITE_P(GcPhases, ShortOnes, ::testing::Bool());

TEST_F(GcPhases, ACollectionThatEndsInItsPauseRanNotBesideTheProgram) {
  const auto begin = [&](uint64_t ms, uint64_t number) {
    event(ms, 1, "suspend_begin", {ORIEL_SUSPEND_GC});
    event(ms, 1, "gc_begin", {number, 2, 0});
    event(ms, 1, "gc_triggered", {number, 0, 1});
  };
  const auto resume = [&](uint64_t ms) { event(ms, 1, "resume_end", {ORIEL_SUSPEND_GC, 5 * testing::kMs}); };
  begin(10, 1);
  event(15, 1, "gc_end", {1, 2});
  resume(15);
  begin(20, 2);
  resume(25);
  event(40, 2, "gc_end", {2, 2});
  begin(50, 3);
  resume(55);
  const Profile profile = builder_.finish({});
  std::vector<bool> beside;
  for (const Collection& collection : profile.collections) beside.push_back(collection.background);
  EXPECT_THAT(beside, ElementsAre(false, true, true));
}

TEST_F(GcPhases, AreFewWhereTheLogDoesNotTellTimes) {
  tell_pause();
  tell_resumed();
  const Profile profile = builder_.finish({});
  EXPECT_EQ(text(profile.collections[0].phases), "stop 1 collecting 16");
}

TEST_F(GcPhases, ThatACorruptLogClaimsEndWithThePause) {
  tell_pause();
  event(26, 1, "gc_phases", {0, UINT64_MAX, UINT64_MAX, UINT64_MAX, 1, 1, 1, 1});
  tell_resumed();
  const Profile profile = builder_.finish({});
  int64_t all = 0;
  for (const int64_t ns : profile.collections[0].phases) all += ns;
  EXPECT_EQ(all, profile.collections[0].pause_ns);
}

}  // namespace
}  // namespace oriel::profile
