#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "event_buffer.h"
#include "modules/fake_engine.h"
#include "sample_rings.h"

namespace oriel::log_module {
namespace {

TEST(EventBuffer, DeliversEveryEventInOrderWhileTheThreadRuns) {
  constexpr uint64_t kEvents = 300'000;
  EventBuffer buffer(7);
  std::thread producer([&] {
    for (uint64_t i = 0; i < kEvents; i++) {
      uint8_t fields[200];
      const auto size = static_cast<uint16_t>(i % sizeof fields);
      std::fill_n(fields, size, static_cast<uint8_t>(i));
      // More than may wait at once: a full buffer refuses, and takes again once the consumer has caught up.
      while (!buffer.append({i, 5, size}, fields)) std::this_thread::yield();
    }
  });
  uint64_t expected = 0;
  while (expected < kEvents) {
    EventHeader header{};
    const uint8_t* fields = nullptr;
    if (!buffer.next(header, fields)) continue;
    ASSERT_EQ(header.counter, expected);
    ASSERT_EQ(header.size, expected % 200);
    if (header.size) {
      ASSERT_EQ(fields[header.size - 1], static_cast<uint8_t>(expected));
    }
    expected++;
  }
  producer.join();
}

TEST(EventBuffer, OfAnEndedThreadIsEmptiedThenForgotten) {
  fake::engine().threads = {{1, 1, "main"}};
  std::thread([] { thread_event_buffer()->append({42, 1, 0}, nullptr); }).join();
  unsigned buffers = 0, events = 0;
  const auto count = [&](EventBuffer& buffer) {
    buffers++;
    EventHeader header{};
    const uint8_t* fields = nullptr;
    while (buffer.next(header, fields)) events += header.counter == 42;
    return true;
  };
  event_buffers.drain(count);
  EXPECT_EQ(buffers, 1u);
  EXPECT_EQ(events, 1u);
  event_buffers.drain(count);
  EXPECT_EQ(buffers, 1u);
}

TEST(SampleRings, KeepWhatIsStoredAcrossTheirEnd) {
  SampleRings rings;
  ASSERT_TRUE(rings.reserve());
  fake::engine().methods.resize(7);
  fake::engine().methods.back().id = 7;
  uint64_t stored = 0, drained = 0;
  for (int round = 0; round < 200; round++) {
    for (int i = 0; i < 5; i++) {
      fake::Context context;
      context.slot = 3;
      context.time = stored;
      context.periods = 2;
      context.in_page_fault = true;
      context.waits = stored % 5 == 0;
      if (stored % 2 == 0) context.compiled = &fake::engine().methods.back();
      context.truncated = stored % 3 == 0;
      context.frames.assign(stored % 900, stored + 1);
      rings.store(&context);
      stored++;
    }
    rings.drain([&](const SampleView& sample) {
      EXPECT_EQ(sample.counter, drained);
      EXPECT_EQ(sample.periods, 2u);
      EXPECT_TRUE(sample.in_page_fault);
      EXPECT_EQ(sample.waits, drained % 5 == 0);
      EXPECT_EQ(sample.compiled, drained % 2 == 0 ? 7u : 0u);
      EXPECT_EQ(sample.compiled_again, drained % 2 == 0);
      EXPECT_EQ(sample.truncated, drained % 3 == 0);
      EXPECT_EQ(sample.frame_count, drained % 900);
      if (sample.frame_count) {
        EXPECT_EQ(sample.frames[sample.frame_count - 1], drained + 1);
      }
      drained++;
    });
  }
  EXPECT_EQ(drained, stored);
  EXPECT_EQ(rings.lost(), 0u);
}

TEST(SampleRings, KeepWhatIsStoredWhileTheyAreDrained) {
  SampleRings rings;
  ASSERT_TRUE(rings.reserve());
  constexpr uint64_t kSamples = 100'000;
  std::atomic<bool> done{false};
  std::thread thread([&] {
    fake::Context context;
    for (uint64_t i = 0; i < kSamples; i++) {
      context.time = i;
      context.frames.assign(i % 300, i + 1);
      rings.store(&context);
    }
    done = true;
  });
  uint64_t drained = 0, next = 0;
  const auto visit = [&](const SampleView& sample) {
    EXPECT_GE(sample.counter, next);
    EXPECT_EQ(sample.frame_count, sample.counter % 300);
    if (sample.frame_count) {
      EXPECT_EQ(sample.frames[0], sample.counter + 1);
    }
    next = sample.counter + 1;
    drained++;
  };
  while (!done) rings.drain(visit);
  rings.drain(visit);
  thread.join();
  EXPECT_EQ(drained + rings.lost(), kSamples);
  EXPECT_GT(drained, 0u);
}

// In pages.
size_t resident() {
  size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

TEST(SampleRings, TakeFewPagesWhereTheyAreDrainedInTime) {
  SampleRings rings;
  constexpr uint32_t kSlots = 256;
  ASSERT_TRUE(rings.reserve());
  fake::Context context;
  context.frames.assign(20, 1);
  for (context.slot = 0; context.slot < kSlots; context.slot++) rings.store(&context), rings.drain([](const auto&) {});
  const size_t before = resident();
  for (int round = 0; round < 1000; round++) {
    context.frames[0]++;
    for (context.slot = 0; context.slot < kSlots; context.slot++) rings.store(&context);
    rings.drain([](const SampleView&) {});
  }
  EXPECT_EQ(rings.lost(), 0u);
  EXPECT_LT(resident() - before, size_t{kSlots} * 4);  // of 16 pages each
}

// Half a second at 1,000 Hz without the writer.
TEST(SampleRings, HaveRoomForDeepStacksThatChangeAtTheirInnerEnd) {
  SampleRings rings;
  ASSERT_TRUE(rings.reserve());
  const auto stack = [](uintptr_t i) {
    std::vector<uintptr_t> frames(i % 5, i + 1);
    for (uintptr_t frame = 1; frame <= 1000; frame++) frames.push_back(frame);
    return frames;
  };
  fake::Context context;
  for (uintptr_t i = 0; i < 500; i++) {
    context.frames = stack(i);
    rings.store(&context);
  }
  EXPECT_EQ(rings.lost(), 0u);
  uintptr_t drained = 0;
  rings.drain([&](const SampleView& sample) {
    EXPECT_EQ(std::vector<uintptr_t>(sample.frames, sample.frames + sample.frame_count), stack(drained));
    drained++;
  });
  EXPECT_EQ(drained, 500u);
}

TEST(SampleRings, CountWhatFindsNoRoom) {
  SampleRings rings;
  ASSERT_TRUE(rings.reserve());
  fake::Context context;
  for (uintptr_t i = 0; i < 20; i++) {
    context.frames.assign(1000, i + 1);
    rings.store(&context);
  }
  uint64_t drained = 0;
  EXPECT_GT(rings.drain([&](const SampleView&) { drained++; }), 50u);
  EXPECT_GT(drained, 5u);
  EXPECT_EQ(drained + rings.lost(), 20u);
}

TEST(SampleRings, AreThereAheadOfTheThreadsThatNeedThem) {
  SampleRings rings;
  ASSERT_TRUE(rings.reserve());
  const auto store = [&](uint32_t slot) {
    fake::Context context;
    context.slot = slot;
    context.frames.assign(3, slot + 1);
    rings.store(&context);
  };
  uint64_t drained = 0;
  const auto visit = [&](const SampleView& sample) { drained += sample.frames[0] != 0; };
  store(20);
  rings.drain(visit);
  store(50);
  rings.drain(visit);
  EXPECT_EQ(drained, 2u);
  EXPECT_EQ(rings.lost(), 0u);
  store(ORIEL_MAX_SAMPLED_THREADS - 1);  // nobody could know
  rings.drain(visit);
  EXPECT_EQ(rings.lost(), 1u);
  store(ORIEL_MAX_SAMPLED_THREADS - 1);
  rings.drain(visit);
  EXPECT_EQ(drained, 3u);
}

}  // namespace
}  // namespace oriel::log_module
