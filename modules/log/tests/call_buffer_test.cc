// Call buffers: what threads log comes out in order and whole, whatever its size, and a loss is told where it was.
#include "call_buffer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <memory>
#include <thread>

#include "base/clock.h"
#include "call_chunks.h"
#include "modules/fake_engine.h"

namespace oriel::log_module {
namespace {

using log::CallKind;
using log::CallRecord;
using Records = std::vector<CallRecord>;

Records take_all(CallBuffer& buffer) {
  Records all, some;
  uint64_t base = 0;
  while (buffer.take(some, base)) all.insert(all.end(), some.begin(), some.end());
  return all;
}

// All but what is said of sites.
Records without_sites(const Records& records) {
  Records rest;
  for (const CallRecord& record : records)
    if (record.kind != CallKind::kSite) rest.push_back(record);
  return rest;
}

bool is_of_segment(const CallRecord& record) {
  return record.kind == CallKind::kTimed || record.kind == CallKind::kWaited || record.kind == CallKind::kTaken;
}

TEST(CallBuffer, GivesBackWhatWasPut) {
  CallBuffer buffer(7);
  const uint64_t now = ticks();
  buffer.put(CallKind::kEnter, 1, now);
  buffer.put(CallKind::kEnter, (1u << 24) - 1, now + 10);
  buffer.put(CallKind::kLeaveByTailCall, (1u << 24) - 1, now + 10);
  buffer.put(CallKind::kLeaveByException, 1, now + 30);
  buffer.put(CallKind::kAllocation, 3, 24);
  const Records records = take_all(buffer);
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[0].kind, CallKind::kEnter);
  EXPECT_EQ(records[0].id, 1u);
  EXPECT_EQ(records[0].value, now);
  EXPECT_EQ(records[1].id, (1u << 24) - 1);
  EXPECT_EQ(records[2].kind, CallKind::kLeaveByTailCall);
  EXPECT_EQ(records[2].value, now + 10);
  EXPECT_EQ(records[3].kind, CallKind::kLeaveByException);
  EXPECT_EQ(records[3].value, now + 30);
  EXPECT_EQ(records[4].kind, CallKind::kAllocation);
  EXPECT_EQ(records[4].value, 24u);
}

TEST(CallBuffer, TakesWhatDoesNotFitAWord) {
  CallBuffer buffer(7);
  const uint64_t now = ticks();
  buffer.put(CallKind::kEnter, UINT32_MAX, now);
  buffer.put(CallKind::kLeave, UINT32_MAX, now + (uint64_t{1} << 40));  // hours later
  buffer.put(CallKind::kEnter, 5, now - 1000);                          // a clock that goes back
  buffer.put(CallKind::kSite, UINT32_MAX, 0);
  buffer.put(CallKind::kAllocation, 1u << 24, uint64_t{1} << 50);
  buffer.put(CallKind::kAllocation, 2, 8);
  const Records records = without_sites(take_all(buffer));
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[0].id, UINT32_MAX);
  EXPECT_EQ(records[0].value, now);
  EXPECT_EQ(records[1].id, UINT32_MAX);
  EXPECT_EQ(records[1].value, now + (uint64_t{1} << 40));
  EXPECT_EQ(records[2].value, now - 1000);
  EXPECT_EQ(records[3].id, 1u << 24);
  EXPECT_EQ(records[3].value, uint64_t{1} << 50);
  EXPECT_EQ(records[4].id, 2u);
  EXPECT_EQ(records[4].value, 8u);
}

TEST(CallBuffer, TheSiteIsSaidAnewForEachTaking) {
  CallBuffer buffer(7);
  buffer.put(CallKind::kSite, 70'000'000, 0);
  buffer.put(CallKind::kAllocation, 1, 24);
  Records records;
  uint64_t base = 0;
  ASSERT_TRUE(buffer.take(records, base));
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].kind, CallKind::kSite);
  EXPECT_EQ(records[0].id, 70'000'000u);
  buffer.put(CallKind::kAllocation, 1, 24);
  ASSERT_TRUE(buffer.take(records, base));
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].id, 70'000'000u);
  EXPECT_FALSE(buffer.take(records, base));
}

TEST(CallBuffer, DeliversEveryRecordInOrderWhileTheThreadRuns) {
  constexpr uint32_t kPairs = 400'000;
  fake::engine().threads = {{1, 1, "main"}};
  std::atomic<bool> done{false};
  std::thread producer([&] {
    for (uint32_t i = 0; i < kPairs; ++i) {
      log_call(CallKind::kEnter, i % 5000 + 1);
      if (i % 3 == 0) log_allocation(i % 100 + 1, i, nullptr);
      log_call(CallKind::kLeave, i % 5000 + 1);
    }
    done = true;
  });
  uint32_t enters = 0, leaves = 0, allocations = 0;
  uint64_t before = 0;
  bool ended = false;
  while (!ended) {
    ended = done;
    call_buffers.drain([&](CallBuffer& buffer) {
      Records records;
      uint64_t base = 0;
      while (buffer.take(records, base)) {
        for (const CallRecord& record : records) {
          if (is_of_segment(record)) continue;
          if (record.kind == CallKind::kAllocation) {
            EXPECT_EQ(record.value, 3 * allocations);
            ++allocations;
            continue;
          }
          EXPECT_GE(record.value, before);
          before = record.value;
          uint32_t& count = record.kind == CallKind::kEnter ? enters : leaves;
          EXPECT_EQ(record.id, count % 5000 + 1);
          ++count;
          EXPECT_TRUE(enters == leaves || enters == leaves + 1);
        }
      }
      return true;
    });
  }
  producer.join();
  EXPECT_EQ(enters, kPairs);
  EXPECT_EQ(leaves, kPairs);
  EXPECT_EQ(allocations, (kPairs + 2) / 3);
  EXPECT_EQ(calls_lost().calls, 0u);
  // The thread has ended and its buffer is empty: it is forgotten.
  unsigned buffers = 0;
  call_buffers.drain([&](CallBuffer&) { return ++buffers, true; });
  call_buffers.drain([&](CallBuffer&) { return ++buffers, true; });
  EXPECT_LE(buffers, 1u);
  EXPECT_EQ(chunks_in_use(), 0u);
}

TEST(CallBuffer, WhatFindsNoRoomIsLostAndToldBeforeWhatFollows) {
  std::vector<CallChunk*> taken;
  CallBuffer buffer(7);
  buffer.put(CallKind::kEnter, 1, ticks());
  while (CallChunk* chunk = try_new_chunk()) taken.push_back(chunk);
  uint32_t id = 1;
  const uint64_t lost_before = calls_lost().calls;
  while (calls_lost().calls < lost_before + 100) buffer.put(CallKind::kEnter, ++id, ticks());  // waits a second once
  for (CallChunk* chunk : taken) give_back(chunk, 0);
  for (int i = 0; i < 10; ++i) buffer.put(CallKind::kLeave, 9, ticks());
  Records records = without_sites(take_all(buffer));
  ASSERT_EQ(records.size(), id - 100 + 1 + 10);
  EXPECT_EQ(records[id - 101].id, id - 100);
  EXPECT_EQ(records[id - 100].kind, CallKind::kLost);
  EXPECT_EQ(records[id - 100].value, 100u);
  EXPECT_EQ(records.back().kind, CallKind::kLeave);
}

// The memory has room for so many chunks, and a thread does that if it is full.
class Full {
 public:
  Full(size_t chunks, WhenFull what) { set_room(chunks * kChunkBytes, what); }
  ~Full() { set_room(kUsualRoom, WhenFull::kWait); }
  Full(const Full&) = delete;
  Full& operator=(const Full&) = delete;
};

uint64_t sum_of_lost(const Records& records) {
  uint64_t lost = 0;
  for (const CallRecord& record : records)
    if (record.kind == CallKind::kLost) lost += record.value;
  return lost;
}

// How often the calling thread gave its processor away, as it does each millisecond that it waits for the writer.
int64_t times_slept() {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

TEST(CallBuffer, TheNewOnesAreDroppedAtOnceWhereThatIsWanted) {
  constexpr uint32_t kCalls = 100'000;
  const Full full(4, WhenFull::kDropNew);
  CallBuffer buffer(7);
  const int64_t before = times_slept();
  for (uint32_t i = 1; i <= kCalls; ++i) buffer.put(CallKind::kEnter, i, ticks());
  EXPECT_LT(times_slept() - before, 500) << "it waited";
  const Records records = without_sites(take_all(buffer));
  for (uint32_t i = 0; i < records.size(); ++i) ASSERT_EQ(records[i].id, i + 1);
  EXPECT_EQ(buffer.lost(), (LostCalls{kCalls - records.size(), 0}));
  EXPECT_GT(records.size(), 3 * CallChunk::kWords);
}

TEST(CallBuffer, TheOldOnesAreDroppedWhereThatIsWanted) {
  constexpr uint32_t kCalls = 100'000;
  const Full full(4, WhenFull::kDropOld);
  CallBuffer buffer(7);
  for (uint32_t i = 1; i <= kCalls; ++i) {
    buffer.put(CallKind::kEnter, i, ticks());
    if (i % 10 == 0) buffer.put(CallKind::kAllocation, 3, 24);
  }
  const Records records = without_sites(take_all(buffer));
  ASSERT_EQ(records.front().kind, CallKind::kLost);
  EXPECT_EQ(records.back().kind, CallKind::kAllocation);
  EXPECT_EQ(records[records.size() - 2].id, kCalls) << "the newest are there";
  const LostCalls lost = buffer.lost();
  EXPECT_EQ(lost.calls + lost.allocations, records.front().value);
  EXPECT_EQ(lost.calls + lost.allocations + records.size() - 1, kCalls + kCalls / 10);
  EXPECT_NEAR(static_cast<double>(lost.calls), static_cast<double>(lost.allocations) * 10, 10);
  EXPECT_EQ(sum_of_lost(records), records.front().value) << "it is told once";
}

TEST(CallBuffer, EveryThreadHasRoomHoweverLittleThereIs) {
  const Full full(2, WhenFull::kDropNew);
  std::vector<std::unique_ptr<CallBuffer>> buffers;
  for (uint32_t i = 0; i < 40; ++i) {
    buffers.push_back(std::make_unique<CallBuffer>(i + 1));
    buffers.back()->put(CallKind::kEnter, 1, ticks());
    EXPECT_EQ(buffers.back()->lost(), LostCalls());
  }
  // And goes on after a loss, once the writer has caught up.
  CallBuffer& one = *buffers.front();
  while (one.lost() == LostCalls()) one.put(CallKind::kEnter, 1, ticks());
  take_all(one);
  const LostCalls lost = one.lost();
  one.put(CallKind::kEnter, 1, ticks());
  EXPECT_EQ(one.lost(), lost);
}

// Stacks and sites are told as differences, which must not refer to what was dropped.
TEST(CallBuffer, WhatFollowsDroppedOnesIsWhole) {
  const Full full(2, WhenFull::kDropOld);
  CallBuffer buffer(7);
  std::vector<uintptr_t> frames(50);
  for (size_t i = 0; i < frames.size(); ++i) frames[i] = 1'000 + i;
  uint64_t base = 0;
  Records records;
  for (int i = 0; i < 30'000; ++i) {
    frames[0] = static_cast<uintptr_t>(i + 1);
    buffer.put_stack(frames, false);
    buffer.put(CallKind::kAllocation, 3, static_cast<uint64_t>(i));
    if (i != 100) continue;
    ASSERT_TRUE(buffer.take(records, base)) << "the oldest chunk was read in part";
  }
  size_t allocations = 0;
  const uintptr_t* stack = nullptr;
  while (buffer.take(records, base)) {
    const TakenStacks& taken = buffer.taken_stacks();
    for (const CallRecord& record : records) {
      if (record.kind == CallKind::kStack) {
        ASSERT_EQ(taken.stacks[record.value].depth, frames.size());
        stack = taken.frames.data() + taken.stacks[record.value].first;
      } else if (record.kind == CallKind::kAllocation) {
        ++allocations;
        ASSERT_TRUE(stack);
        EXPECT_EQ(stack[0], 1'000 + frames.size() - 1);
        EXPECT_EQ(stack[frames.size() - 1], record.value + 1);
      }
    }
  }
  EXPECT_EQ(allocations + 101 + buffer.lost().allocations, 30'000u);
}

TEST(CallBuffer, NothingIsCountedTwiceWhileOldOnesAreDroppedAndOthersTaken) {
  constexpr uint32_t kCalls = 2'000'000;
  const Full full(6, WhenFull::kDropOld);
  CallBuffer buffer(7);
  std::atomic<bool> done{false};
  std::thread producer([&] {
    for (uint32_t i = 1; i <= kCalls; ++i) buffer.put(CallKind::kEnter, i, ticks());
    done = true;
  });
  Records records;
  uint64_t base = 0, taken = 0, told = 0;
  uint32_t last = 0;
  for (bool more = true; more;) {
    more = !done;
    while (buffer.take(records, base)) {
      for (const CallRecord& record : records) {
        if (record.kind == CallKind::kLost) {
          told += record.value;
          last += static_cast<uint32_t>(record.value);
        } else if (record.kind == CallKind::kEnter) {
          ++taken;
          ASSERT_EQ(record.id, ++last);
        }
      }
      if (taken % 7 == 0) std::this_thread::yield();
    }
  }
  producer.join();
  EXPECT_EQ(taken + buffer.lost().calls, kCalls);
  EXPECT_LE(told, buffer.lost().calls) << "what was lost last is told before the next one";
}

TEST(CallBuffer, SomeSegmentsAreTimedApart) {
  constexpr uint32_t kPairs = 20'000;
  CallBuffer buffer(7);
  for (uint32_t i = 0; i < kPairs; ++i) {
    buffer.put_call(CallKind::kEnter, 1);
    buffer.put_call(CallKind::kLeave, 1);
  }
  unsigned timed = 0;
  const Records records = take_all(buffer);
  for (size_t i = 0; i < records.size(); ++i) {
    if (records[i].kind != CallKind::kTimed) continue;
    ++timed;
    EXPECT_GT(records[i].value, 0u);
    EXPECT_LE(records[i].value, modules::kLongSegment);
    size_t event = i + 1;  // the one that ends it: what was waited or taken meanwhile may stand between
    while (event < records.size() && records[event].kind > CallKind::kTimed) ++event;
    ASSERT_LT(event, records.size());
    EXPECT_LE(records[event].kind, CallKind::kLeaveByTailCall);
  }
  EXPECT_GT(timed, 2 * kPairs / 1200);
  EXPECT_LT(timed, 2 * kPairs / 200);
}

TEST(CallBuffer, WhatAThreadWaitsIsToldBeforeTheEventBehindIt) {
  CallBuffer buffer(7);
  buffer.put_call(CallKind::kEnter, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  buffer.put_call(CallKind::kLeave, 1);
  uint64_t waited_ns = 0;
  for (const CallRecord& record : take_all(buffer)) {
    if (record.kind == CallKind::kWaited) waited_ns = record.value;
  }
  EXPECT_GT(waited_ns, 15'000'000u);
}

TEST(CallBuffer, WhatLoggingTakesIsTold) {
  CallBuffer buffer(7);
  buffer.put_call(CallKind::kEnter, 1);
  buffer.put_call(CallKind::kLeave, 1);
  const uint64_t some = modules::kMayHaveWaited / 2;
  buffer.take_out(some);
  buffer.put_call(CallKind::kLeave, 1);
  buffer.take_out(uint64_t{1} << 40);  // the thread had no processor meanwhile
  buffer.put_call(CallKind::kEnter, 1);
  std::vector<uint64_t> taken;
  for (const CallRecord& record : take_all(buffer)) {
    if (record.kind == CallKind::kTaken) taken.push_back(record.value);
  }
  ASSERT_EQ(taken.size(), 3u);  // the first chunk, and these
  EXPECT_GE(taken[1], some);
  EXPECT_LT(taken[1], some + (uint64_t{1} << 32)) << "the thread may have been stopped, but not so long";
  EXPECT_GE(taken[2], modules::kMayHaveWaited);
  EXPECT_LT(taken[2], uint64_t{1} << 32);
}

void do_nothing(int) {}

// A signal ends the nap of a thread that waits for the writer; the program is none the wiser.
TEST(CallBuffer, WaitingLeavesErrnoAlone) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = do_nothing;
  sigaction(SIGUSR1, &action, &before);
  std::vector<CallChunk*> taken;
  while (CallChunk* chunk = try_new_chunk()) taken.push_back(chunk);
  std::atomic<bool> done{false};
  std::thread program([&] {
    errno = EDOM;
    log_call(CallKind::kEnter, 1);  // waits a second
    EXPECT_EQ(errno, EDOM);
    done = true;
  });
  while (!done) {
    pthread_kill(program.native_handle(), SIGUSR1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  program.join();
  for (CallChunk* chunk : taken) give_back(chunk, 0);
  call_buffers.drain([](CallBuffer&) { return true; });
  sigaction(SIGUSR1, &before, nullptr);
}

// The runtime stops its threads while the writer stands still, as when it waits for that collection itself.
TEST(CallBuffer, NobodyWaitsForTheWriterWhileTheRuntimeStopsThreads) {
  std::vector<CallChunk*> taken;
  CallBuffer buffer(7);
  while (CallChunk* chunk = try_new_chunk()) taken.push_back(chunk);
  const uint64_t lost_before = calls_lost().calls;
  suspension_begins();
  buffer.put(CallKind::kEnter, 1, ticks());
  EXPECT_EQ(calls_lost().calls, lost_before) << "waited for the writer to the last";
  EXPECT_EQ(take_all(buffer).size(), 1u);
  // What is kept for that has an end.
  while (CallChunk* chunk = try_new_chunk(Room::kReserve)) taken.push_back(chunk);
  EXPECT_EQ(taken.size(), most_chunks() + kReserveBytes / kChunkBytes) << "beside the thread's own";
  CallBuffer another(8);
  another.put(CallKind::kEnter, 1, ticks());
  EXPECT_EQ(calls_lost().calls, lost_before + 1);
  suspension_ends();
  for (CallChunk* chunk : taken) give_back(chunk, 0);
}

TEST(CallBuffer, AWaitingThreadGoesOnWhenTheWriterHasCaughtUp) {
  std::vector<CallChunk*> taken;
  CallBuffer buffer(7);
  // It has its first chunk without waiting, and needs another one: a record is not begun in the last word.
  for (size_t i = 1; i < CallChunk::kWords; ++i) buffer.put(CallKind::kEnter, 1, ticks());
  ASSERT_EQ(take_all(buffer).size(), CallChunk::kWords - 1);
  while (CallChunk* chunk = try_new_chunk()) taken.push_back(chunk);
  const uint64_t lost_before = calls_lost().calls;
  std::atomic<bool> waits = false;  // or is about to
  std::atomic<bool> caught_up = false;
  std::thread writer([&] {
    while (!waits) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // so that another program's turn is a small part
    caught_up = true;
    for (CallChunk* chunk : taken) give_back(chunk, 0);
  });
  const uint64_t begun = ticks();
  waits = true;
  buffer.put_call(CallKind::kEnter, 1);
  const uint64_t spent = ticks() - begun;
  EXPECT_TRUE(caught_up);
  writer.join();
  EXPECT_EQ(calls_lost().calls, lost_before);
  take_all(buffer);
  buffer.put_call(CallKind::kLeave, 1);
  // The wait is not the method's.
  const Records records = take_all(buffer);
  const auto taken_out = std::ranges::find(records, CallKind::kTaken, &CallRecord::kind);
  ASSERT_NE(taken_out, records.end());
  EXPECT_GT(taken_out->value, spent / 2);
  EXPECT_EQ(std::ranges::count_if(records, is_of_segment) + 1, std::ssize(records));
}

}  // namespace
}  // namespace oriel::log_module
