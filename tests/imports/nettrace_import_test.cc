#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "imports/formats.h"
#include "imports/nettrace_code.h"
#include "oriel/oriel.h"
#include "read_back.h"
#include "trace_bytes.h"

namespace oriel::imports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr char kRuntime[] = "Microsoft-Windows-DotNETRuntime";
constexpr uint32_t kSample = 1, kLoaded = 2, kUnloaded = 3, kThere = 4, kModule = 5, kGcStart = 6, kGcEnd = 7,
                   kHeap = 8, kThrow = 9, kTick = 10, kLockWait = 11, kLockTaken = 12, kSuspend = 13, kResumed = 14;
constexpr uint64_t kMillisecond = 1'000'000;

Bytes method(uint64_t id, uint64_t address, uint32_t size, const char* name) {
  Bytes bytes;
  bytes.add(id).add<uint64_t>(77).add(address).add(size).add<uint32_t>(0x6000001).add<uint32_t>(8);
  return bytes.text("Shop.Cart").text(name).text("void  (int32)").add<uint16_t>(1);
}

// Two threads sampled each millisecond, of which one sleeps; and one event of each kind.
std::vector<uint8_t> small_trace() {
  TraceFile file;
  file.kind(kSample, "Microsoft-DotNETCore-SampleProfiler", 0, 0);
  file.kind(kLoaded, kRuntime, 143, 1);
  file.kind(kUnloaded, kRuntime, 144, 1);
  file.kind(kThere, "Microsoft-Windows-DotNETRuntimeRundown", 144, 1);
  file.kind(kModule, "Microsoft-Windows-DotNETRuntimeRundown", 154, 2);
  file.kind(kGcStart, kRuntime, 1, 2);
  file.kind(kGcEnd, kRuntime, 2, 1);
  file.kind(kHeap, kRuntime, 4, 2);
  file.kind(kThrow, kRuntime, 80, 1);
  file.kind(kTick, kRuntime, 10, 4);
  file.kind(kLockWait, kRuntime, 81, 2);
  file.kind(kLockTaken, kRuntime, 91, 1);
  file.kind(kSuspend, kRuntime, 9, 1);
  file.kind(kResumed, kRuntime, 3, 1);
  file.kind(99, "My-Events", 1, 0);
  // Innermost first; return addresses are behind the call.
  file.stack(1, {0x1010, 0x2100});
  file.stack(2, {0x3010, 0x2020});
  uint32_t sequence = 0;
  const auto sample = [&](uint64_t thread, uint64_t ms, uint32_t stack, uint32_t was) {
    file.event(kSample, thread, ++sequence, ms * kMillisecond, stack, Bytes().add(was));
  };
  file.event(kLoaded, 1, 1, 0, 0, method(1, 0x1000, 0x100, "First"));
  sample(500, 1, 1, 2);
  sequence = 0;
  file.event(kUnloaded, 1, 2, 1 * kMillisecond + 1, 0, method(1, 0x1000, 0x100, "First"));
  file.event(kLoaded, 1, 3, 1 * kMillisecond + 2, 0, method(2, 0x1000, 0x80, "Second"));
  sequence = 1;
  sample(500, 2, 1, 2);
  sample(500, 5, 1, 1);
  sequence = 0;
  sample(501, 5, 2, 1);
  file.event(kGcStart, 600, 1, 6 * kMillisecond, 0,
             Bytes().add<uint32_t>(7).add<uint32_t>(1).add<uint32_t>(1).add<uint32_t>(0).add<uint16_t>(1));
  file.event(kSuspend, 600, 2, 6 * kMillisecond, 0, Bytes().add<uint32_t>(1).add<uint32_t>(7).add<uint16_t>(1));
  file.event(kGcEnd, 600, 3, 7 * kMillisecond, 0, Bytes().add<uint32_t>(7).add<uint32_t>(1).add<uint16_t>(1));
  Bytes heap;
  for (uint64_t i = 1; i <= 8; ++i) heap.add(i * 100);
  heap.add<uint64_t>(0).add<uint64_t>(3).add<uint32_t>(4).add<uint32_t>(5).add<uint32_t>(6).add<uint16_t>(1);
  heap.add<uint64_t>(900).add<uint64_t>(1000);
  file.event(kHeap, 600, 4, 7 * kMillisecond + 5, 0, heap);
  file.event(kResumed, 600, 5, 8 * kMillisecond, 0, Bytes().add<uint16_t>(1));
  file.event(kThrow, 500, 1, 8 * kMillisecond, 1,
             Bytes().text("Shop.EmptyCart").text("it is empty").add<uint64_t>(0).add<uint32_t>(0).add<uint32_t>(0));
  Bytes tick;
  tick.add<uint32_t>(102400).add<uint32_t>(0).add<uint16_t>(1).add<uint64_t>(106000).add<uint64_t>(0x77);
  tick.text("Shop.Item[]").add<uint32_t>(0).add<uint64_t>(0x7f00).add<uint64_t>(64);
  file.event(kTick, 500, 2, 9 * kMillisecond, 1, tick);
  file.event(kLockWait, 500, 3, 9 * kMillisecond, 1,
             Bytes().add<uint8_t>(0).add<uint16_t>(1).add<uint64_t>(0xabc).add<uint64_t>(0).add<uint64_t>(501));
  file.event(kLockTaken, 500, 6, 11 * kMillisecond, 1, Bytes().add<uint8_t>(0).add<uint16_t>(1).add<double>(2e6));
  file.event(99, 500, 7, 12 * kMillisecond, 0, Bytes().add<uint32_t>(0));
  file.point();
  file.event(kThere, 1, 4, 13 * kMillisecond, 0, method(3, 0x2000, 0x100, "Main"));
  Bytes sleep;
  sleep.add<uint64_t>(4).add<uint64_t>(77).add<uint64_t>(0x3000).add<uint32_t>(0x100).add<uint32_t>(0).add<uint32_t>(0);
  sleep.text("System.Threading.Thread").text("Sleep").text("void  (int32)").add<uint16_t>(1);
  file.event(kThere, 1, 5, 13 * kMillisecond, 0, sleep);
  Bytes module;
  module.add<uint64_t>(77).add<uint64_t>(0).add<uint32_t>(0).add<uint32_t>(0).text("/app/Shop.dll").text("");
  file.event(kModule, 1, 6, 13 * kMillisecond, 0, module);
  return file.end();
}

ReadBack imported(const std::vector<uint8_t>& bytes) {
  LogMaker maker;
  const Status status = parse_nettrace(as_file(bytes), maker);
  EXPECT_TRUE(status) << (status ? "" : status.message());
  return read_back(maker);
}

TEST(NettraceImport, SamplesHaveTheMethodThatWasThereAtTheTime) {
  const ReadBack log = imported(small_trace());
  const std::string main = "Shop.dll!Shop.Cart.Main(int)";
  EXPECT_THAT(
      log.stacks(),
      ElementsAre(Pair(main + ";Shop.dll!Shop.Cart.First(int)", 1), Pair(main + ";Shop.dll!Shop.Cart.Second(int)", 1),
                  Pair(main + ";Shop.dll!Shop.Cart.Second(int);[native code or waiting]@native code or waiting", 1),
                  Pair(main + ";Shop.dll!System.Threading.Thread.Sleep(int);[waiting]", 1)));
  EXPECT_EQ(log.property("sampling.mode"), "real");
  EXPECT_EQ(log.property("pid"), "4711");
  EXPECT_EQ(log.intro.clock.unix_us, 1795818192338000u);
  EXPECT_TRUE(log.ended);
}

TEST(NettraceImport, EventsBecomeTheLogs) {
  const ReadBack log = imported(small_trace());
  const auto begin = log.events_of(oriel_event_gc_begin);
  ASSERT_EQ(begin.size(), 1u);
  EXPECT_EQ(begin[0].values[0], 7u);
  EXPECT_EQ(begin[0].values[1], 1u);
  EXPECT_EQ(begin[0].values[2], uint64_t{ORIEL_GC_REASON_INDUCED});
  EXPECT_EQ(begin[0].counter, 6 * kMillisecond);
  const auto heap = log.events_of(oriel_event_gc_heap);
  ASSERT_EQ(heap.size(), 1u);
  EXPECT_EQ(heap[0].values[1], 100u);
  EXPECT_EQ(heap[0].values[5], 900u);
  EXPECT_EQ(log.events_of(oriel_event_gc_end).size(), 1u);
  const auto resumed = log.events_of(oriel_event_resume_end);
  ASSERT_EQ(resumed.size(), 1u);
  EXPECT_EQ(resumed[0].values[1], 2 * kMillisecond);
  const auto thrown = log.events_of(oriel_event_exception_throw);
  ASSERT_EQ(thrown.size(), 1u);
  EXPECT_EQ(log.classes.at(thrown[0].values[0]), "Shop.EmptyCart");
  EXPECT_NE(thrown[0].stack, 0u);
  const auto sampled = log.events_of(oriel_event_gc_allocation_sampled);
  ASSERT_EQ(sampled.size(), 1u);
  EXPECT_EQ(log.classes.at(sampled[0].values[0]), "Shop.Item[]");
  EXPECT_EQ(sampled[0].values[1], 64u);
  EXPECT_EQ(sampled[0].values[2], 106000u);
  const auto acquired = log.events_of(oriel_event_monitor_acquired);
  ASSERT_EQ(acquired.size(), 1u);
  EXPECT_EQ(acquired[0].values[3], 2 * kMillisecond);
  EXPECT_EQ(log.threads.at(acquired[0].values[2]).os_id, 501u);
}

// What threads tell of stopping the program, in microseconds.
class Suspensions {
 public:
  Suspensions() {
    file_.kind(kSuspend, kRuntime, 9, 1);
    file_.kind(kStopped, kRuntime, 8, 1);
    file_.kind(kResume, kRuntime, 7, 1);
    file_.kind(kResumed, kRuntime, 3, 1);
  }
  void begin(uint64_t us, uint64_t thread, uint32_t reason) {
    event(kSuspend, us, thread, Bytes().add(reason).add<uint32_t>(1).add<uint16_t>(1));
  }
  void stopped(uint64_t us, uint64_t thread) { event(kStopped, us, thread, Bytes().add<uint16_t>(1)); }
  void resume(uint64_t us, uint64_t thread) { event(kResume, us, thread, Bytes().add<uint16_t>(1)); }
  void resumed(uint64_t us, uint64_t thread) { event(kResumed, us, thread, Bytes().add<uint16_t>(1)); }

  // Of each pause where it ends and how long it was.
  std::vector<std::pair<uint64_t, uint64_t>> pauses() {
    file_.point();
    const ReadBack log = imported(file_.end());
    std::vector<std::pair<uint64_t, uint64_t>> found;
    for (const log::Event& event : log.events_of(oriel_event_resume_end))
      found.emplace_back(event.counter / 1000, event.values[1] / 1000);
    EXPECT_EQ(log.events_of(oriel_event_suspend_begin).size(), found.size());
    std::ranges::sort(found);
    return found;
  }

 private:
  static constexpr uint32_t kStopped = 20, kResume = 21;
  void event(uint32_t kind, uint64_t us, uint64_t thread, const Bytes& payload) {
    file_.event(kind, thread, ++sequences_[thread], us * 1000, 0, payload);
  }

  TraceFile file_;
  std::map<uint64_t, uint32_t> sequences_;
};
constexpr uint64_t kCollector = 600, kSampler = 700, kBackground = 800;
constexpr uint32_t kOther = 0, kForGc = 1, kForGcPrepare = 6;

TEST(NettraceImport, TheSamplersSuspensionsDoNotEndThoseOfACollection) {
  Suspensions all;
  all.begin(90, kSampler, kOther);
  all.stopped(95, kSampler);
  all.begin(100, kCollector, kForGc);  // waits for the sampler
  all.resume(110, kSampler);
  all.stopped(115, kCollector);
  all.resumed(120, kSampler);
  all.begin(200, kSampler, kOther);  // waits for the collector
  all.resume(900, kCollector);
  all.stopped(905, kSampler);
  all.resume(910, kSampler);
  all.resumed(915, kSampler);
  all.resumed(1000, kCollector);
  EXPECT_THAT(all.pauses(), ElementsAre(Pair(1000, 900)));
}

TEST(NettraceImport, ABackgroundCollectionsThreadResumesWhatAnotherStopped) {
  Suspensions all;
  all.begin(100, kCollector, kForGc);
  all.stopped(110, kCollector);
  all.begin(120, kSampler, kOther);
  all.resume(300, kBackground);
  all.stopped(310, kSampler);
  all.resumed(320, kBackground);
  all.begin(330, kBackground, kForGcPrepare);
  all.resume(340, kSampler);
  all.resumed(350, kSampler);
  all.stopped(360, kBackground);
  all.resume(500, kBackground);
  all.resumed(530, kBackground);
  all.resume(600, kBackground);  // of which no beginning is known
  all.resumed(700, kBackground);
  EXPECT_THAT(all.pauses(), ElementsAre(Pair(320, 220), Pair(530, 200)));
}

TEST(NettraceImport, WhatIsLostIsCounted) {
  const ReadBack log = imported(small_trace());
  EXPECT_THAT(log.lost, ElementsAre(Pair("imported-events", 2)));  // between the lock's two events
  EXPECT_EQ(log.property("imported.left-out"), "1 event of 1 kind that a log does not have");
  EXPECT_EQ(log.property("imported.cut"), "");
}

TEST(NettraceImport, AFileCutAnywhereIsReadAsFarAsItGoes) {
  const std::vector<uint8_t> whole = small_trace();
  size_t before = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    LogMaker maker;
    const std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    if (!parse_nettrace(as_file(cut), maker)) continue;
    EXPECT_THAT(maker.cut(), HasSubstr("The file has no end")) << size;
    EXPECT_GE(maker.samples() + maker.events(), before) << size;
    before = maker.samples() + maker.events();
  }
  EXPECT_GT(before, 10u);
}

TEST(NettraceImport, DamagedFilesAreReadOrRefused) {
  const std::vector<uint8_t> whole = small_trace();
  for (size_t at = 0; at < whole.size(); ++at) {
    std::vector<uint8_t> damaged = whole;
    damaged[at] ^= 0xff;
    LogMaker maker;
    const Status status = parse_nettrace(as_file(damaged), maker);
    EXPECT_TRUE(status || !status.message().empty()) << at;
  }
}

TEST(NettraceImport, AFileOfOneProcessHasNoOther) {
  LogMaker maker, another;
  EXPECT_TRUE(parse_nettrace(as_file(small_trace()), maker, {.process = 4711}));
  const Status status = parse_nettrace(as_file(small_trace()), another, {.process = 9});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.message(), "it is of one process, 4711");
}

TEST(CodeHistory, AddressesAreReused) {
  CodeHistory code;
  using What = CodeEvent::What;
  code.add({What::kLoaded, 10, 100, 50, 1});
  code.add({What::kUnloaded, 20, 100, 50, 1});
  code.add({What::kLoaded, 30, 120, 50, 2});
  code.add({What::kThere, 99, 400, 10, 3});
  code.seal();
  EXPECT_EQ(code.find(105, 15), 1u);
  EXPECT_EQ(code.find(149, 16), 1u);
  EXPECT_EQ(code.find(400, 16), 3u);
  EXPECT_EQ(code.find(410, 16), CodeHistory::kNone);
  EXPECT_EQ(code.find(149, 35), 2u);
  EXPECT_EQ(code.find(169, 36), 2u);
  EXPECT_EQ(code.find(170, 36), CodeHistory::kNone);
}

}  // namespace
}  // namespace oriel::imports
