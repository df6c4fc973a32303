// Threads that encode their calls themselves while the writer is behind: nothing is lost, each thread's calls stay in
// order, and names come before their use.
#include "encoded_calls.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "call_buffer.h"
#include "call_chunks.h"
#include "log/decoder.h"
#include "log_file.h"
#include "modules/fake_engine.h"

namespace oriel::log_module {
namespace {

using log::CallKind;

constexpr uint32_t kMethods = 50, kThreads = 8;

// Follows each thread's stack.
struct Stacks : log::EventSink {
  std::set<uint64_t> named;
  std::map<uint64_t, uint64_t> calls;               // by thread
  std::map<uint64_t, std::vector<uint64_t>> stack;  // likewise, of methods
  std::map<uint64_t, uint64_t> last;                // likewise, the counter

  void on_method(const log::MethodName& name) override { named.insert(name.id); }
  void on_event(const log::Event& event) override {
    if (event.number != oriel_event_method_enter && event.number != oriel_event_method_leave) return;
    EXPECT_TRUE(named.contains(event.values[0])) << event.values[0];
    EXPECT_GE(event.counter, last[event.thread]);
    last[event.thread] = event.counter;
    ++calls[event.thread];
    std::vector<uint64_t>& its = stack[event.thread];
    if (event.number == oriel_event_method_enter) return its.push_back(event.values[0]);
    ASSERT_FALSE(its.empty());
    EXPECT_EQ(its.back(), event.values[0]);
    its.pop_back();
  }
  void on_problem(uint64_t, const std::string& message) override { ADD_FAILURE() << message; }
};

class EncodedByThreads : public testing::Test {
 protected:
  EncodedByThreads() {
    fake::engine() = {};
    fake::engine().classes = {{1, "Shop.Cart"}};
    for (uint32_t id = 1; id <= kMethods; ++id)
      fake::engine().methods.push_back({id, "Method" + std::to_string(id), &fake::engine().classes[0]});
    for (uint32_t id = 1; id <= kThreads; ++id) fake::engine().threads.push_back({id, 100 + id, "worker"});
    empty_buffers();
    set_room(4u << 20, WhenFull::kDropNew);
    const auto options = parse_options("calls=*,sample=none,out=" + path_);
    EXPECT_TRUE(options) << options.message();
    auto file = LogFile::create(plan_of(*options), profiler_.recorder, intro_of(plan_of(*options)));
    EXPECT_TRUE(file) << file.message();
    file_ = std::move(*file);
    file_->drain();
    lost_before_ = calls_lost();
  }
  ~EncodedByThreads() override {
    set_room(kUsualRoom, WhenFull::kWait);
    let_threads_encode(false);
    empty_buffers();
    std::filesystem::remove(path_);
  }

  static void empty_buffers() {
    call_buffers.drain([](CallBuffer& buffer) {
      std::vector<log::CallRecord> records;
      uint64_t base = 0;
      while (buffer.take(records, base)) {
      }
      if (buffer.encoded()) buffer.encoded()->forget_blocks(buffer.encoded()->blocks().size());
      return true;
    });
  }

  // Logs so many pairs on each of so many threads, in nests of ten.
  static void log_pairs(uint32_t threads, uint32_t pairs) {
    std::vector<std::thread> all;
    for (uint32_t t = 0; t < threads; ++t) {
      all.emplace_back([t, pairs] {
        fake::current_thread = t + 1;
        for (uint32_t i = 0; i < pairs; i += 10) {
          for (uint32_t depth = 0; depth < 10; ++depth) log_call(CallKind::kEnter, (t + i + depth) % kMethods + 1);
          for (uint32_t depth = 10; depth-- > 0;) log_call(CallKind::kLeave, (t + i + depth) % kMethods + 1);
        }
      });
    }
    for (std::thread& thread : all) thread.join();
  }
  Stacks read() {
    Stacks stacks;
    const auto outcome = log::decode_file(path_, stacks);
    EXPECT_TRUE(outcome) << outcome.message();
    return stacks;
  }
  uint64_t calls_in_log() {
    uint64_t sum = 0;
    for (const auto& [thread, calls] : read().calls) sum += calls;
    return sum;
  }

  std::string path_ = testing::TempDir() + "encoded_calls_test-" + std::to_string(getpid()) + ".oriel";
  oriel_profiler profiler_;
  std::unique_ptr<LogFile> file_;
  LostCalls lost_before_;
};

// The buffers have room for 530,000 records.
TEST_F(EncodedByThreads, MoreCallsThanBuffersHoldAreNotLostWhileNobodyWrites) {
  log_pairs(1, 350'000);
  EXPECT_GT(encoded_bytes(), 0u);
  while (file_->drain() >= 100) {
  }
  EXPECT_EQ(encoded_bytes(), 0u);
  ASSERT_TRUE(file_->finish());
  EXPECT_EQ(calls_lost(), lost_before_);
  EXPECT_EQ(calls_in_log(), 700'000u);
}

// More than may be pending when the writer takes them: 8 MB.
TEST_F(EncodedByThreads, AllIsWrittenThoughItIsMoreThanIsTakenAtOnce) {
  constexpr uint32_t kPairs = 500'000;
  set_room(64u << 20, WhenFull::kDropNew);
  log_pairs(kThreads, kPairs);
  EXPECT_GT(encoded_bytes(), 8u << 20);
  ASSERT_TRUE(file_->write_all());
  EXPECT_EQ(encoded_bytes(), 0u);
  ASSERT_TRUE(file_->finish());
  EXPECT_EQ(calls_lost(), lost_before_);
  EXPECT_EQ(calls_in_log(), 2 * kThreads * kPairs);
}

TEST_F(EncodedByThreads, CallsOfManyThreadsAreWholeWhileTheWriterTakesThem) {
  constexpr uint32_t kPairs = 200'000;
  set_room(16u << 20, WhenFull::kWait);
  std::atomic<bool> done{false};
  std::thread threads([&] {
    log_pairs(kThreads, kPairs);
    done = true;
  });
  while (!done) {
    file_->drain();
    ASSERT_TRUE(file_->flush());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  threads.join();
  while (file_->drain() >= 100) {
  }
  ASSERT_TRUE(file_->finish());
  EXPECT_EQ(calls_lost(), lost_before_);
  EXPECT_EQ(calls_in_log(), 2 * kThreads * kPairs);
}

// It comes again soon then, however few blocks a small room holds.
TEST_F(EncodedByThreads, TheWriterIsToldThatASmallRoomIsFull) {
  set_room(1u << 20, WhenFull::kDropNew);
  log_pairs(1, 200'000);
  EXPECT_NE(calls_lost(), lost_before_);
  EXPECT_GT(file_->drain(), 90u);
  EXPECT_LT(file_->drain(), 10u);
}

// Else the writer would go on coming each 2 ms, and they would keep their memory.
TEST_F(EncodedByThreads, ThreadsThatEncodeAndThenRestLeaveTheWriterAlone) {
  constexpr uint32_t kThreadsAtRest = 24;
  set_room(16u << 20, WhenFull::kWait);
  std::atomic<uint32_t> resting{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreadsAtRest; ++t) {
    threads.emplace_back([&] {
      fake::current_thread = 1;
      for (int i = 0; i < 60'000; ++i) log_call(i % 2 == 0 ? CallKind::kEnter : CallKind::kLeave, 1);
      ++resting;
      while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    });
  }
  while (resting < kThreadsAtRest) {
    file_->drain();
    ASSERT_TRUE(file_->flush());
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  while (file_->drain() >= 100) ASSERT_TRUE(file_->flush());
  EXPECT_LT(file_->drain(), 10u);
  EXPECT_EQ(encoded_bytes(), 0u);
  done = true;
  for (std::thread& thread : threads) thread.join();
}

// It alone knows their classes.
TEST_F(EncodedByThreads, NotWithAllocationsWhichAreTheWriters) {
  profiler_.recorder.allocations.choose(std::make_unique<modules::MethodFilter>(MethodPatterns()));
  file_->drain();
  log_pairs(1, 350'000);
  EXPECT_EQ(encoded_bytes(), 0u);
  EXPECT_NE(calls_lost(), lost_before_);
}

}  // namespace
}  // namespace oriel::log_module
