// Stacks of allocations from the callbacks to the file: what differs goes through the buffers, nodes stand in the log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "call_buffer.h"
#include "call_chunks.h"
#include "log/decoder.h"
#include "log_file.h"
#include "modules/fake_engine.h"
#include "recorder.h"

namespace oriel::log_module {
namespace {

using log::CallKind;
using testing::ElementsAre;
using Frames = std::vector<uintptr_t>;

// The stacks of the records, each for the allocations behind it: "3 2 1 (24 bytes)", innermost first.
std::vector<std::string> stacks_of(CallBuffer& buffer) {
  std::vector<std::string> lines;
  std::vector<log::CallRecord> records;
  uint64_t base = 0;
  while (buffer.take(records, base)) {
    std::string stack = "none";
    for (const log::CallRecord& record : records) {
      if (record.kind == CallKind::kAllocation) lines.push_back(stack + "(" + std::to_string(record.value) + " bytes)");
      if (record.kind != CallKind::kStack) continue;
      const TakenStacks& taken = buffer.taken_stacks();
      const TakenStacks::Stack& told = taken.stacks.at(record.value);
      EXPECT_NE(told.time, 0u);
      stack = told.truncated ? "cut " : "";
      for (size_t i = told.depth; i-- > 0;) stack += std::to_string(taken.frames.at(told.first + i)) + " ";
    }
  }
  return lines;
}

TEST(CallBufferStacks, ComeBackWhatTheyShareOrNot) {
  CallBuffer buffer(7);
  const auto allocate = [&](const Frames& frames, uint64_t bytes, bool truncated = false) {
    buffer.put_stack(frames, truncated);
    buffer.put(CallKind::kAllocation, 1, bytes);
  };
  allocate({3, 2, 1}, 24);
  allocate({3, 2, 1}, 32);
  allocate({9, 4, 2, 1}, 40);
  allocate({2, 1}, 48);
  EXPECT_THAT(stacks_of(buffer),
              ElementsAre("3 2 1 (24 bytes)", "3 2 1 (32 bytes)", "9 4 2 1 (40 bytes)", "2 1 (48 bytes)"));
  allocate({2, 1}, 56);  // said anew for each taking
  allocate({2, 1}, 64, true);
  allocate({}, 72);
  allocate({5}, 80);
  EXPECT_THAT(stacks_of(buffer), ElementsAre("2 1 (56 bytes)", "cut 2 1 (64 bytes)", "(72 bytes)", "5 (80 bytes)"));
}

TEST(CallBufferStacks, TakeRoomForWhatDiffersOnly) {
  CallBuffer buffer(7);
  Frames deep(1000);
  for (size_t i = 0; i < deep.size(); ++i) deep[i] = 5000 + i;
  const size_t before = chunks_in_use();
  for (int i = 0; i < 3000; ++i) {
    deep[0] = 1 + static_cast<uintptr_t>(i % 2);
    buffer.put_stack(deep, false);
    buffer.put(CallKind::kAllocation, 1, 24);
  }
  EXPECT_LE(chunks_in_use() - before, 3u);
  const auto lines = stacks_of(buffer);
  ASSERT_EQ(lines.size(), 3000u);
  EXPECT_THAT(lines[2998], testing::StartsWith("1 5001 "));
  EXPECT_THAT(lines[2999], testing::StartsWith("2 5001 "));
}

TEST(CallBufferStacks, OfAnyDepthFitTheChunks) {
  CallBuffer buffer(7);
  constexpr size_t kMany = 200;
  for (size_t i = 0; i < kMany; ++i) {
    buffer.put_stack(Frames(1 + i * 37 % 1500, 100 + i), false);  // nothing shared; more than a stack may have
    buffer.put(CallKind::kAllocation, 1, i);
  }
  const auto lines = stacks_of(buffer);
  ASSERT_EQ(lines.size(), kMany);
  for (size_t i = 0; i < kMany; ++i) {
    const size_t depth = std::min<size_t>(1 + i * 37 % 1500, 1024);
    EXPECT_EQ(static_cast<size_t>(std::count(lines[i].begin(), lines[i].end(), ' ')), depth + 1) << i;
    EXPECT_THAT(lines[i], testing::StartsWith(std::to_string(100 + i) + " "));
  }
}

struct Contents : log::EventSink {
  std::map<uint64_t, std::string> methods, natives;
  std::map<uint64_t, log::StackNode> nodes;
  std::vector<std::string> allocations;  // "24 on Add(int);Main();"

  void on_method(const log::MethodName& name) override { methods[name.id] = name.name; }
  void on_native(const log::NativeName& name) override { natives[name.id] = name.name; }
  void on_stack_node(const log::StackNode& node) override { nodes[node.id] = node; }
  void on_event(const log::Event& event) override {
    if (event.number != oriel_event_gc_allocation && event.number != oriel_event_gc_allocation_sampled) return;
    std::string text = std::to_string(event.values[1]) + " on ";
    for (uint64_t id = event.stack; id != 0; id = nodes.at(id).parent) {
      const log::StackNode& node = nodes.at(id);  // there before its use
      text += (node.kind == log::FrameKind::kManaged ? methods : natives).at(node.frame) + ";";
      if (node.truncated) text += "...";
    }
    allocations.push_back(text);
  }
  void on_problem(uint64_t, const std::string& message) override { ADD_FAILURE() << message; }
};

class AllocationStacks : public testing::Test {
 protected:
  AllocationStacks() {
    fake::engine() = {};
    fake::engine().classes = {{1, "Shop.Cart"}};
    oriel_class* cart = &fake::engine().classes[0];
    fake::engine().methods = {{1, "Main()", cart}, {2, "Add(int)", cart}, {3, "Foreign()", cart}};
    profiler_.recorder.allocations.add(2);
    fake::engine().threads = {{1, 100, "main"}};
    for (uint32_t id : {1u, 2u}) name_frame(id * 0x1000, id);
    fake::engine().frames[0x2fff] = {ORIEL_FRAME_NATIVE, nullptr, "/lib/libcoreclr.so", "AllocSlow", 0};
    call_buffers.drain([](CallBuffer& buffer) { return stacks_of(buffer), true; });
    auto options = parse_options("alloc,alloc-stacks,sample=none,out=" + path_);
    EXPECT_TRUE(options) << options.message();
    listen(nullptr, EventSet().set());
    options->events.set(oriel_event_gc_allocation_sampled);
    listen_with_stacks(nullptr);
    auto file = LogFile::create(plan_of(*options), profiler_.recorder, intro_of(plan_of(*options)));
    EXPECT_TRUE(file) << file.message();
    file_ = std::move(*file);
  }
  ~AllocationStacks() override { std::filesystem::remove(path_); }

  // A return address is that behind the call.
  void name_frame(uintptr_t returns_to, uint32_t method) {
    fake::engine().frames[returns_to - 1] = {ORIEL_FRAME_MANAGED, oriel_method_by_id(method), nullptr, nullptr, 0};
  }
  void be_on(const Frames& frames, bool truncated = false) {
    fake::engine().own_stack = frames;
    fake::engine().own_stack_truncated = truncated;
  }
  void allocate(uint64_t bytes, uint32_t site = 2) {
    callback_gc_allocation(&profiler_, oriel_class_by_id(1), bytes, nullptr, oriel_method_by_id(site));
  }
  void sample(uint64_t bytes) { callback_gc_allocation_sampled(&profiler_, oriel_class_by_id(1), bytes, 100'000); }
  std::vector<std::string> read() {
    file_->drain();
    EXPECT_TRUE(file_->finish());
    Contents contents;
    EXPECT_TRUE(log::decode_file(path_, contents));
    return contents.allocations;
  }

  std::string path_ = testing::TempDir() + "allocation_stacks_test-" + std::to_string(getpid()) + ".oriel";
  oriel_profiler profiler_;
  std::unique_ptr<LogFile> file_;
};

TEST_F(AllocationStacks, OfSamplesBeginWithManagedCode) {
  be_on({0x3000, 0x3000, 0x2000, 0x3000, 0x1000});
  sample(10);
  be_on({0x3000, 0x1000}, true);
  sample(20);
  be_on({0x3000, 0x3000});
  sample(30);
  be_on({});
  sample(40);
  EXPECT_THAT(read(), ElementsAre("10 on Add(int);AllocSlow;Main();", "20 on Main();...", "30 on ", "40 on "));
}

TEST_F(AllocationStacks, OfEachObjectAreThere) {
  be_on({0x3000, 0x2000, 0x1000});
  allocate(24);
  allocate(24);
  file_->drain();
  EXPECT_TRUE(file_->flush());
  allocate(24);
  be_on({0x1000});
  allocate(24);
  EXPECT_THAT(read(), ElementsAre("24 on Add(int);Main();", "24 on Add(int);Main();", "24 on Add(int);Main();",
                                  "24 on Main();"));
}

TEST_F(AllocationStacks, AreOfSitesThatTheModuleChose) {
  be_on({0x1000});
  allocate(32, 3);
  be_on({0x2000, 0x1000});
  allocate(24);
  allocate(32, 3);
  EXPECT_THAT(read(), ElementsAre("24 on Add(int);Main();"));
}

TEST_F(AllocationStacks, AreOfTheCodeThatWasThere) {
  be_on({0x1000});
  sample(10);
  file_->drain();
  name_frame(0x1000, 2);  // the code was freed, and other came
  callback_method_free(&profiler_, oriel_method_by_id(1));
  sample(20);
  EXPECT_THAT(read(), ElementsAre("10 on Main();", "20 on Add(int);"));
}

}  // namespace
}  // namespace oriel::log_module
