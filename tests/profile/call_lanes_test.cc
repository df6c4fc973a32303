// Calls that are decoded and summed in the background make the profile that they make one by one.
#include "profile/build/call_lanes.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <random>
#include <string>

#include "log/call_list.h"
#include "log/decoder.h"
#include "log/field_reader.h"
#include "log/framing.h"
#include "log/layout.h"
#include "log/properties.h"
#include "log/writer.h"
#include "profile/build/builder.h"
#include "profile/shop/same_profile.h"

namespace oriel::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint32_t kThreads = 7;

class CallLanesOfALog : public ::testing::Test {
 protected:
  // Takes each call of a block as an event.
  struct EventByEvent : Builder {
    bool on_calls_block(const log::BlockView&, const log::CallsBlock&, const log::Cursor&) override { return false; }
  };
  // Takes some blocks for one record shorter than they are, or for something else that is damaged.
  struct Cutting : Builder {
    bool on_calls_block(const log::BlockView& block, const log::CallsBlock& head, const log::Cursor& all) override {
      log::CallsBlock damaged = head;
      if (cuts(head)) damage(damaged);
      return Builder::on_calls_block(block, damaged, all);
    }
    std::function<bool(const log::CallsBlock&)> cuts;
    std::function<void(log::CallsBlock&)> damage = [](log::CallsBlock& block) { --block.count; };
  };

  CallLanesOfALog() : path_(::testing::TempDir() + "oriel-lanes-" + std::to_string(getpid()) + ".oriel") {
    auto created = log::Writer::create(path_);
    EXPECT_TRUE(created);
    writer_ = std::move(*created);
    log::Intro intro;
    intro.clock = {0, 1'700'000'000'000'000};
    writer_->intro(intro);
  }
  ~CallLanesOfALog() override { std::remove(path_.c_str()); }

  // Goes up and down at random; the threads are by turns.
  void write_calls(uint32_t blocks, uint32_t calls_of_a_block) {
    std::mt19937 random(5);
    std::vector<std::vector<uint32_t>> stacks(kThreads);
    for (uint32_t block = 0; block < blocks; ++block) {
      const uint32_t thread = block % kThreads;
      std::vector<uint32_t>& stack = stacks[thread];
      log::CallList calls;
      for (uint32_t i = 0; i < calls_of_a_block; ++i) {
        now_ += 10 + random() % 100;
        if (stack.empty() || (stack.size() < 30 && random() % 2 == 0)) {
          stack.push_back(1 + random() % 5);
          calls.enter(stack.back(), now_);
        } else {
          calls.leave(stack.back(), now_);
          stack.pop_back();
        }
      }
      calls.write(*writer_, 1 + thread);
      ASSERT_TRUE(writer_->flush({}));
    }
  }
  Profile read(Builder& builder) {
    const auto outcome = log::decode_file(path_, builder);
    EXPECT_TRUE(outcome) << outcome.message();
    return builder.finish(*outcome);
  }

  std::string path_;
  std::unique_ptr<log::Writer> writer_;
  uint64_t now_ = 1000;
};

TEST_F(CallLanesOfALog, MakeTheSameProfileAsEvents) {
  write_calls(40 * kThreads, 3000);
  Builder lanes;
  EventByEvent events;
  const Profile profile = read(lanes);
  EXPECT_EQ(testing::difference(profile, read(events)), "");
  EXPECT_EQ(profile.threads.size(), kThreads);
  uint64_t calls = 0;
  for (const CallFigures& row : profile.call_figures) calls += row.calls;
  EXPECT_EQ(calls, profile.call_total().enters);
  EXPECT_GT(calls, 400'000u);
}

// Each says in order which of them it is; behind a hundred they are only counted.
TEST_F(CallLanesOfALog, ManyBlocksThatAreNotWholeAreCounted) {
  write_calls(40 * kThreads, 100);
  Cutting cutting;
  cutting.cuts = [](const log::CallsBlock&) { return true; };
  const Profile profile = read(cutting);
  EXPECT_EQ(profile.outcome.corrupt_blocks, 40u * kThreads);
  ASSERT_EQ(profile.problems.size(), 101u);
  EXPECT_EQ(profile.problems.back(), "and 180 more problems");
  uint64_t last = 0;
  for (size_t i = 0; i < 100; ++i) {
    const uint64_t offset = std::stoull(profile.problems[i].substr(sizeof "at byte"));
    EXPECT_GT(offset, last);
    last = offset;
  }
}

TEST_F(CallLanesOfALog, SizesOfClassesCountFromWhereTheyAreTold) {
  for (uint32_t klass = 1; klass <= 3; ++klass) {
    log::Mapping mapping;
    mapping.classes = {{klass, 16 * klass, 0, "T" + std::to_string(klass)}};
    writer_->mapping(mapping);
    for (uint32_t thread = 1; thread <= 5; ++thread) {
      now_ += 10;
      log::CallList().enter(1, now_).allocate(klass, 16 * klass).leave(1, now_ + 5).write(*writer_, thread);
      ASSERT_TRUE(writer_->flush({}));
    }
  }
  Builder builder;
  const Profile profile = read(builder);
  uint64_t bytes = 0;
  for (const Allocations& row : profile.allocations) bytes += row.bytes;
  EXPECT_EQ(bytes, 5u * (16 + 32 + 48));
  EXPECT_TRUE(profile.problems.empty());
}

TEST_F(CallLanesOfALog, ABlockThatIsNotWholeLosesCallsOfItsThreadOnly) {
  write_calls(40 * kThreads, 100);
  Builder whole;
  const Profile all = read(whole);
  Cutting cutting;
  uint64_t cut = 0;
  cutting.cuts = [&](const log::CallsBlock& head) { return head.thread == 3 && ++cut == 20; };
  const Profile profile = read(cutting);
  EXPECT_THAT(profile.problems, ElementsAre(HasSubstr("(calls) is damaged: what it holds from byte")));
  EXPECT_EQ(profile.outcome.corrupt_blocks, 1u);
  EXPECT_EQ(profile.outcome.blocks + 1, all.outcome.blocks);
  EXPECT_EQ(profile.call_total().gaps, 1u);
  for (uint32_t thread = 1; thread <= kThreads; ++thread) {
    const auto calls_of = [&](const Profile& one) {
      uint64_t calls = 0;
      for (const CallFigures& row : one.call_figures)
        if (row.calls != 0 && one.threads[row.thread].id == thread) calls += row.calls;
      return calls;
    };
    if (thread == 3)
      EXPECT_LT(calls_of(profile), calls_of(all));
    else
      EXPECT_EQ(calls_of(profile), calls_of(all)) << thread;
  }
}

TEST_F(CallLanesOfALog, ADamagedBlockIsNotBelievedAboutItsTime) {
  write_calls(40 * kThreads, 100);
  Cutting cutting;
  uint64_t cut = 0;
  cutting.cuts = [&](const log::CallsBlock& head) { return head.thread == 3 && ++cut == 20; };
  cutting.damage = [](log::CallsBlock& block) {
    block.base = uint64_t{1} << 60;
    block.ops_frame = 1;  // too short for one
  };
  const Profile profile = read(cutting);
  EXPECT_EQ(profile.outcome.corrupt_blocks, 1u);
  EXPECT_EQ(profile.call_total().gaps, 1u);
  Builder whole;
  const Profile all = read(whole);
  const auto longest = [](const Profile& one) {
    return std::ranges::max(one.call_figures, {}, &CallFigures::measured_longest_ns).measured_longest_ns;
  };
  EXPECT_LE(longest(profile), longest(all));
  uint64_t after = 0;
  for (const CallFigures& row : profile.call_figures) {
    if (row.calls != 0 && profile.threads[row.thread].id == 3) after += row.calls;
  }
  EXPECT_GT(after, 39u * 30) << "calls behind it have times";
}

// In a recorder's log the ids of stacks begin anew in each segment.
TEST(CallLanes, ARecordersObjectsHaveTheStacksOfTheirSegments) {
  Builder builder;
  log::Intro intro;
  intro.clock = {0, 1'700'000'000'000'000};
  intro.properties = {{std::string(log::property::kRecorderSeconds), "10"}};
  log::Event object;
  object.number = oriel_event_gc_allocation;
  object.thread = 1;
  object.values[0] = 1;
  object.values[1] = 24;
  object.value_count = 4;
  object.stack = 1;
  for (const uint64_t method : {11, 12}) {
    builder.on_intro(intro);
    builder.on_method({method, 0, "M" + std::to_string(method), ""});
    builder.on_stack_node({.id = 1, .parent = 0, .kind = log::FrameKind::kManaged, .frame = method});
    object.counter = 100 * method;
    builder.on_event(object);
  }
  EXPECT_FALSE(builder.on_calls_block({}, {}, {})) << "they are decoded at once";
  const Profile profile = builder.finish({});
  std::vector<std::string> sites;
  for (const Allocations& row : profile.allocations) sites.push_back(profile.functions[row.site].name);
  EXPECT_THAT(sites, ElementsAre("M11", "M12"));
}

}  // namespace
}  // namespace oriel::profile
