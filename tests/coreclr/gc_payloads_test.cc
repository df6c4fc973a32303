// Payloads of the runtime's events about collections, and which collection ends.
#include "runtimes/coreclr/callbacks/gc_payloads.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "runtimes/coreclr/callbacks/callback_gc.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {
namespace {

class Fields {
 public:
  template <typename T>
  Fields& add(T number) {
    bytes_.resize(bytes_.size() + sizeof number);
    std::memcpy(bytes_.data() + bytes_.size() - sizeof number, &number, sizeof number);
    return *this;
  }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  // Whether a payload that is cut short is rejected.
  template <typename Read>
  bool is_refused_cut_short(const Read& read, size_t least) const {
    for (size_t size = 0; size < least; ++size)
      if (read(std::span(bytes_).first(size))) return false;
    return read(std::span(bytes_).first(least)).has_value();
  }

 private:
  std::vector<uint8_t> bytes_;
};

TEST(GcTold, WhyOneBegins) {
  Fields fields;
  fields.add<uint32_t>(7).add<uint32_t>(2).add<uint32_t>(4).add<uint32_t>(1);
  const auto started = read_gc_started(fields.bytes());
  ASSERT_TRUE(started);
  EXPECT_EQ(started->number, 7u);
  EXPECT_EQ(started->trigger, ORIEL_GC_TRIGGER_LARGE_OBJECTS);
  EXPECT_TRUE(started->background);
  EXPECT_TRUE(fields.is_refused_cut_short(read_gc_started, 16));
  fields = {};
  fields.add<uint32_t>(7).add<uint32_t>(2).add<uint32_t>(1000).add<uint32_t>(0);
  EXPECT_EQ(read_gc_started(fields.bytes())->trigger, ORIEL_GC_TRIGGER_OTHER) << "of a later runtime";
}

TEST(GcTold, WhatSurvives) {
  Fields fields;
  for (const uint64_t survived : {1, 2, 3, 4}) fields.add<uint64_t>(100).add(survived);
  fields.add<uint64_t>(500).add<uint64_t>(6).add<uint32_t>(7).add<uint32_t>(8).add<uint32_t>(9).add<uint16_t>(0);
  const size_t first_version = fields.bytes().size();
  fields.add<uint64_t>(100).add<uint64_t>(5);
  const auto found = read_heap_stats(fields.bytes());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->generations[0], 1u);
  EXPECT_EQ(found->generations[2], 3u);
  EXPECT_EQ(found->large, 4u);
  EXPECT_EQ(found->pinned, 5u);
  EXPECT_EQ(found->finalizable, 6u);
  EXPECT_EQ(found->pinned_objects, 7u);
  EXPECT_EQ(found->handles, 9u);
  EXPECT_TRUE(fields.is_refused_cut_short(read_heap_stats, first_version - sizeof(uint16_t)));
}

TEST(GcTold, WhatRoomIsLeft) {
  Fields fields;
  fields.add<uint16_t>(0);
  for (int i = 0; i < 6; ++i) fields.add<uint64_t>(1);
  for (int i = 0; i < 5; ++i) fields.add<uint32_t>(2);
  fields.add<uint32_t>(3).add<uint64_t>(4).add<uint32_t>(5);
  for (uint64_t part = 1; part <= 5; ++part)
    for (uint64_t number = 0; number < 10; ++number) fields.add(number == 4 ? part * 10 : number == 5 ? part : 1000);
  const auto found = read_heap_history(fields.bytes());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->heap, 3u);
  EXPECT_EQ(found->parts[0], 11u);
  EXPECT_EQ(found->parts[4], 55u);
  EXPECT_TRUE(fields.is_refused_cut_short(read_heap_history, fields.bytes().size()));
}

TEST(GcState, AShortCollectionEndsBeforeTheOneThatItInterrupts) {
  GcState state;
  EXPECT_EQ(state.end().number, 0u);
  state.begin(2);
  state.begin(0);
  EXPECT_EQ(state.end().number, 2u);
  state.begin(1);
  EXPECT_EQ(state.end().number, 3u);
  const GcState::Collection background = state.end();
  EXPECT_EQ(background.number, 1u);
  EXPECT_EQ(background.generation, 2u);
  EXPECT_EQ(state.end().number, 0u);
}

TEST(GcState, ABackgroundCollectionEndsAfterTheShortOneThatItBeginsWith) {
  GcState state;
  state.suspend_begin(kSuspendForGc, 1);
  state.begin(2);
  EXPECT_EQ(state.end().number, 1u) << "the short one, of which no begin is told";
  state.resume_begin();
  state.suspend_begin(kSuspendForGcPrep, 2);
  state.resume_begin();
  state.suspend_begin(kSuspendForGc, 3);
  state.begin(0);
  std::thread([&] { EXPECT_EQ(state.end().number, 1u) << "the background one, on its own thread"; }).join();
  EXPECT_EQ(state.end().number, 2u);
  state.resume_begin();
  EXPECT_EQ(state.end().number, 0u);
}

TEST(GcState, AnEndThatWasMissedSpoilsNoLaterOnes) {
  GcState state;
  state.begin(2);
  state.begin(0);
  state.begin(1);
  EXPECT_EQ(state.end().number, 3u);
  EXPECT_EQ(state.end().number, 2u);
}

}  // namespace
}  // namespace oriel::coreclr
