// Trees are read while their threads count: for ThreadSanitizer, and for exact results at the end.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "modules/fake_engine.h"
#include "recorder.h"
#include "tree_text.h"

namespace oriel::callgraph_module {
namespace {

constexpr uint32_t kMethods = 40;

// One round of calls: a chain of three, many callees, an exception, a tail call, two objects.
void call(uint32_t round) {
  callback_method_enter(nullptr, method(1), nullptr);
  callback_method_enter(nullptr, method(2 + round % (kMethods - 4)), nullptr);
  callback_gc_allocation(nullptr, klass(1), 24, nullptr, nullptr);
  callback_method_enter(nullptr, method(kMethods - 2), nullptr);
  callback_method_exception_leave(nullptr, method(kMethods - 2), nullptr);
  callback_method_leave(nullptr, method(2 + round % (kMethods - 4)), nullptr);
  callback_method_enter(nullptr, method(kMethods - 1), nullptr);
  callback_gc_allocation(nullptr, klass(2 + round % 20), 32, nullptr, nullptr);
  callback_method_tail_call(nullptr, method(kMethods - 1), nullptr);
  callback_method_leave(nullptr, method(1), nullptr);
}

// Invariants of a tree at any moment.
void check(const log::CallGraph& graph) {
  for (const log::CallNode& node : graph.nodes) {
    ASSERT_LT(node.parent, node.id);
    ASSERT_LE(node.method, kThings);
    ASSERT_GE(node.calls, node.running ? 1u : 0u);
  }
}

struct Sums {
  uint64_t calls = 0;
  uint64_t exceptions = 0;
  uint64_t objects = 0;
  uint64_t bytes = 0;
  uint64_t running = 0;
  uint64_t threads = 0;
};

Sums sum_up() {
  Sums sums;
  for_each_tree([&](const ThreadTree& tree) {
    const log::CallGraph graph = snapshot(tree, 1);
    sums.threads += graph.threads;
    for (const log::CallNode& node : graph.nodes) {
      sums.calls += node.calls;
      sums.exceptions += node.exceptions;
      sums.running += node.running ? 1 : 0;
      for (const log::CallAllocation& it : node.allocations) {
        sums.objects += it.objects;
        sums.bytes += it.bytes;
      }
    }
  });
  return sums;
}

TEST(Race, DumpedWhileThreadsCount) {
  lay_out();
  listen(nullptr, true);
  const Sums before = sum_up();
  constexpr uint32_t kThreads = 4;
  constexpr uint32_t kRounds = 20'000;
  std::atomic<uint32_t> running{kThreads};
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&running] {
      for (uint32_t round = 0; round < kRounds; ++round) call(round);
      running--;
    });
  }
  uint64_t seen = before.calls;
  while (running > 0) {
    for_each_tree([](const ThreadTree& tree) { check(snapshot(tree, 1)); });
    const uint64_t calls = sum_up().calls;
    EXPECT_GE(calls, seen);
    seen = calls;
  }
  for (std::thread& thread : threads) thread.join();
  const Sums after = sum_up();
  EXPECT_EQ(after.calls - before.calls, uint64_t{4} * kThreads * kRounds);
  EXPECT_EQ(after.exceptions - before.exceptions, uint64_t{kThreads} * kRounds);
  EXPECT_EQ(after.objects - before.objects, uint64_t{2} * kThreads * kRounds);
  EXPECT_EQ(after.bytes - before.bytes, uint64_t{24 + 32} * kThreads * kRounds);
  EXPECT_EQ(after.running, 0u);
  EXPECT_EQ(after.threads - before.threads, kThreads);
  stop_listening(nullptr);
}

// A finished call is in a dump with all its time. For each call the thread publishes the method's previous time: a
// later dump in which the method no longer runs must have more.
TEST(Race, ACallThatJustEndsIsNotMissing) {
  lay_out();
  ThreadTree tree(1);
  std::atomic<uint64_t> before{0};
  std::atomic<bool> stop{false};
  tree.enter(method(1));
  tree.leave(method(1));
  std::thread thread([&] {
    const Node& node = *tree.root().children.first();
    while (!stop) {
      tree.enter(method(1));
      before.store(node.ticks.load(std::memory_order_relaxed), std::memory_order_release);
      for (int i = 0; i < 20; ++i) asm volatile("");
      tree.leave(method(1));
    }
  });
  int missing = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const uint64_t least = before.load(std::memory_order_acquire);
    const log::CallGraph graph = snapshot(tree, 1);
    const log::CallNode& node = graph.nodes.at(0);
    if (node.ticks < least || (node.ticks == least && !node.running)) missing++;
  }
  stop = true;
  thread.join();
  EXPECT_EQ(missing, 0);
}

// A thread may lose its processor at any point: here while a call ends.
TEST(Race, ACallThatIsEndingIsWaitedFor) {
  lay_out();
  ThreadTree tree(1);
  tree.enter(method(1));
  auto& node = const_cast<Node&>(*tree.root().children.first());
  node.entered = kClosing;
  std::thread thread([&node] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    node.ticks = 1234;
    node.entered = 0;
  });
  const log::CallGraph graph = snapshot(tree, 1);
  thread.join();
  EXPECT_EQ(graph.nodes.at(0).ticks, 1234u);
  EXPECT_FALSE(graph.nodes.at(0).running);
}

TEST(Race, ThreadsThatComeAndGoAreAllCounted) {
  lay_out();
  listen(nullptr, true);
  const Sums before = sum_up();
  constexpr uint32_t kThreads = 400;
  for (uint32_t i = 0; i < kThreads; i += 4) {
    std::vector<std::thread> threads;
    for (uint32_t j = 0; j < 4; ++j) threads.emplace_back([] { call(1); });
    if (i % 100 == 0) sum_up();
    for (std::thread& thread : threads) thread.join();
  }
  const Sums after = sum_up();
  EXPECT_EQ(after.calls - before.calls, uint64_t{4} * kThreads);
  EXPECT_EQ(after.threads - before.threads, kThreads);
  unsigned trees = 0;
  for_each_tree([&trees](const ThreadTree&) { trees++; });
  EXPECT_LT(trees, 100u);
  stop_listening(nullptr);
}

}  // namespace
}  // namespace oriel::callgraph_module
