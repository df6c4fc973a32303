// Cells lead to whoever listens, filters are put together: while threads call, listen, and stop listening.
#include "engine/probes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/engine.h"
#include "engine/filters.h"
#include "engine/running_engine.h"
#include "engine/things/things.h"

namespace oriel {
namespace {

using Enter = void (*)(oriel_profiler*, oriel_method*, const void*);

oriel_profiler* as_profiler(std::atomic<uint64_t>& count) { return reinterpret_cast<oriel_profiler*>(&count); }
void on_enter(oriel_profiler* profiler, oriel_method*, const void*) {
  reinterpret_cast<std::atomic<uint64_t>*>(profiler)->fetch_add(1, std::memory_order_relaxed);
}
void on_enter_too(oriel_profiler* profiler, oriel_method* method, const void* context) {
  on_enter(profiler, method, context);
}

// What instrumented code does.
bool run_probe() {
  const ProbeTarget* target = probe_cell(oriel_event_method_enter).load(std::memory_order_acquire);
  if (target == nullptr) return false;
  const auto code = reinterpret_cast<Enter>(const_cast<void*>(target->code.load(std::memory_order_acquire)));
  code(target->profiler, nullptr, nullptr);
  return true;
}

bool cell_is_set() { return probe_cell(oriel_event_method_enter).load() != nullptr; }

oriel_method* some_method() {
  test::running_engine();
  return intern_method_definition(intern_image(0x5eed), 0x06000001, false);
}

TEST(ProbeCells, LeadToNobodyToOneToAll) {
  test::running_engine();
  std::atomic<uint64_t> first{0}, second{0};
  const oriel_profiler_handle one = oriel_profiler_create(as_profiler(first));
  const oriel_profiler_handle other = oriel_profiler_create(as_profiler(second));
  EXPECT_FALSE(run_probe());
  oriel_profiler_set_method_enter_callback(one, on_enter);
  ASSERT_TRUE(test::eventually(cell_is_set));
  EXPECT_TRUE(run_probe());
  EXPECT_EQ(first, 1u);
  oriel_profiler_set_method_enter_callback(other, on_enter);
  ASSERT_TRUE(test::eventually([&] {
    run_probe();
    return second != 0;
  }));
  const uint64_t before = first;
  EXPECT_TRUE(run_probe());
  EXPECT_EQ(first, before + 1);
  oriel_profiler_set_method_enter_callback(one, nullptr);
  oriel_profiler_set_method_enter_callback(other, nullptr);
  EXPECT_TRUE(test::eventually([] { return !cell_is_set(); }));
}

// Their callbacks count as callbacks that the process's end waits for, as many as listen.
TEST(ProbeCells, OfTheFullKindLeadToAllEvenIfItIsOne) {
  test::running_engine();
  const auto cell = [] { return probe_cell(oriel_event_method_enter_full).load(std::memory_order_acquire); };
  const auto run = [&] {
    const ProbeTarget* const target = cell();
    if (target) reinterpret_cast<Enter>(const_cast<void*>(target->code.load()))(target->profiler, nullptr, nullptr);
  };
  std::atomic<uint64_t> first{0}, second{0};
  const oriel_profiler_handle one = oriel_profiler_create(as_profiler(first));
  const oriel_profiler_handle other = oriel_profiler_create(as_profiler(second));
  oriel_profiler_set_method_enter_full_callback(one, on_enter);
  ASSERT_TRUE(test::eventually([&] { return cell() != nullptr; }));
  EXPECT_EQ(cell()->profiler, nullptr);
  run();
  EXPECT_EQ(first, 1u);
  oriel_profiler_set_method_enter_full_callback(other, on_enter);
  run();
  EXPECT_EQ(second, 1u);
  EXPECT_FALSE(cell_is_set()) << "nobody hears of the other kind";
  oriel_profiler_set_method_enter_full_callback(one, nullptr);
  oriel_profiler_set_method_enter_full_callback(other, nullptr);
  EXPECT_TRUE(test::eventually([&] { return cell() == nullptr; }));
}

TEST(ProbeCells, OfTheFullKindMayBlockAndAskForNames) {
  test::play("assembly Held\nimage Held.dll assembly=Held\nclass Held.C image=Held.dll\nmethod M class=Held.C");
  static oriel_method* const method =
      scripted::method_of(*test::running_engine().world().find(scripted::Kind::kMethod, "M"));
  static std::mutex lock;
  static std::map<std::string, int> calls;
  const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  oriel_profiler_set_method_enter_full_callback(handle, [](oriel_profiler*, oriel_method* entered, const void*) {
    const std::lock_guard guard(lock);
    ++calls[oriel_method_name(entered)];
  });
  const auto cell = [] { return probe_cell(oriel_event_method_enter_full).load(std::memory_order_acquire); };
  ASSERT_TRUE(test::eventually([&] { return cell() != nullptr; }));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const ProbeTarget* const target = cell();
      const auto code = reinterpret_cast<Enter>(const_cast<void*>(target->code.load()));
      for (int call = 0; call < 1000; ++call) code(target->profiler, method, nullptr);
    });
  }
  for (int i = 0; i < 100; ++i) test::play("gc generation=1");
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(calls, (std::map<std::string, int>{{"Held.C.M()", 4000}}));
  oriel_profiler_set_method_enter_full_callback(handle, nullptr);
}

TEST(ProbeCells, MayChangeWhileThreadsAreInProbes) {
  test::running_engine();
  static std::atomic<uint64_t> counts[2];
  const oriel_profiler_handle one = oriel_profiler_create(as_profiler(counts[0]));
  const oriel_profiler_handle other = oriel_profiler_create(as_profiler(counts[1]));
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      while (!done) run_probe();
    });
  }
  for (int i = 0; i < 5'000; ++i) {
    oriel_profiler_set_method_enter_callback(one, i % 2 ? on_enter : on_enter_too);
    oriel_profiler_set_method_enter_callback(other, i % 3 ? on_enter : nullptr);
    if (i % 5 == 0) oriel_profiler_set_method_enter_callback(one, nullptr);
  }
  oriel_profiler_set_method_enter_callback(one, on_enter);
  const uint64_t before = counts[0];
  EXPECT_TRUE(test::eventually([&] { return counts[0] > before; }));
  done = true;
  for (std::thread& thread : threads) thread.join();
  oriel_profiler_set_method_enter_callback(one, nullptr);
  oriel_profiler_set_method_enter_callback(other, nullptr);
  EXPECT_TRUE(test::eventually([] { return !cell_is_set(); }));
}

TEST(Filters, AreAllAskedAndTheUnionTaken) {
  oriel_method* method = some_method();
  const oriel_profiler_handle one = oriel_profiler_create(nullptr), other = oriel_profiler_create(nullptr);
  EXPECT_FALSE(has_filters());
  EXPECT_FALSE(ask_filters(method, nullptr).any());
  oriel_profiler_set_call_instrumentation_filter_callback(
      one, [](oriel_profiler*, oriel_method*) -> uint32_t { return ORIEL_CALLS_LEAVE_CONTEXT; });
  oriel_profiler_set_call_instrumentation_filter_callback(
      other, [](oriel_profiler*, oriel_method*) -> uint32_t { return ORIEL_CALLS_ENTER | ORIEL_CALLS_FULL; });
  oriel_profiler_set_allocation_filter_callback(other, [](oriel_profiler*, oriel_method*) { return true; });
  EXPECT_TRUE(has_filters());
  const WantedChanges wanted = ask_filters(method, nullptr);
  EXPECT_EQ(wanted.calls,
            uint32_t{ORIEL_CALLS_ENTER | ORIEL_CALLS_FULL | ORIEL_CALLS_LEAVE | ORIEL_CALLS_LEAVE_CONTEXT});
  EXPECT_TRUE(wanted.allocations);
  EXPECT_FALSE(wanted.full_allocations);
  oriel_profiler_set_full_allocation_filter_callback(one, [](oriel_profiler*, oriel_method*) { return true; });
  oriel_profiler_set_allocation_filter_callback(other, nullptr);
  oriel_profiler_set_call_instrumentation_filter_callback(
      other, [](oriel_profiler*, oriel_method*) -> uint32_t { return ORIEL_CALLS_ENTER_FULL; });
  const WantedChanges full = ask_filters(method, nullptr);
  EXPECT_EQ(full.calls, uint32_t{ORIEL_CALLS_ENTER_FULL | ORIEL_CALLS_LEAVE | ORIEL_CALLS_LEAVE_CONTEXT});
  EXPECT_TRUE(full.full_allocations && !full.allocations && full.has_probes());
  oriel_profiler_set_full_allocation_filter_callback(one, nullptr);
  oriel_profiler_set_call_instrumentation_filter_callback(one, nullptr);
  oriel_profiler_set_call_instrumentation_filter_callback(other, nullptr);
  oriel_profiler_set_allocation_filter_callback(other, nullptr);
  EXPECT_FALSE(has_filters());
}

TEST(Filters, AreNotAskedOfImagesInWhichTheyChooseNothing) {
  oriel_method* method = some_method();
  oriel_image *const mine = intern_image(0x1001), *const others = intern_image(0x1002);
  static oriel_image* chosen;
  chosen = mine;
  const oriel_profiler_handle one = oriel_profiler_create(nullptr), other = oriel_profiler_create(nullptr);
  EXPECT_FALSE(ask_image_filters(mine));
  oriel_profiler_set_image_filter_callback(one, [](oriel_profiler*, oriel_image* image) { return image == chosen; });
  EXPECT_FALSE(ask_image_filters(mine)) << "it has nothing to choose with";
  oriel_profiler_set_call_instrumentation_filter_callback(
      one, [](oriel_profiler*, oriel_method*) -> uint32_t { return ORIEL_CALLS_ENTER; });
  EXPECT_TRUE(ask_image_filters(mine));
  EXPECT_FALSE(ask_image_filters(others));
  EXPECT_EQ(ask_filters(method, mine).calls, uint32_t{ORIEL_CALLS_ENTER});
  EXPECT_FALSE(ask_filters(method, others).any());
  oriel_profiler_set_allocation_filter_callback(other, [](oriel_profiler*, oriel_method*) { return true; });
  EXPECT_TRUE(ask_image_filters(others)) << "who has no filter of images chooses in all";
  const WantedChanges wanted = ask_filters(method, others);
  EXPECT_TRUE(wanted.allocations && wanted.calls == ORIEL_CALLS_NONE);
  oriel_profiler_set_call_instrumentation_filter_callback(one, nullptr);
  oriel_profiler_set_allocation_filter_callback(other, nullptr);
}

TEST(Filters, ThatThrowOrAnswerNonsenseAreSaidOnceAndCountAsNo) {
  oriel_method* method = some_method();
  const oriel_profiler_handle one = oriel_profiler_create(nullptr), other = oriel_profiler_create(nullptr);
  oriel_profiler_set_call_instrumentation_filter_callback(
      one, [](oriel_profiler*, oriel_method*) -> uint32_t { throw std::runtime_error("filter"); });
  oriel_profiler_set_call_instrumentation_filter_callback(
      other, [](oriel_profiler*, oriel_method*) -> uint32_t { return 1u << 31 | ORIEL_CALLS_ENTER; });
  const std::string said = test::said_by([&] {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(ask_filters(method, nullptr).calls, uint32_t{ORIEL_CALLS_ENTER});
  });
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << said;
  oriel_profiler_set_call_instrumentation_filter_callback(
      other, [](oriel_profiler*, oriel_method*) -> uint32_t { return ORIEL_CALLS_FULL | ORIEL_CALLS_BLOCK_INLINING; });
  EXPECT_FALSE(ask_filters(method, nullptr).any()) << "how, but of nothing";
  oriel_profiler_set_call_instrumentation_filter_callback(one, nullptr);
  oriel_profiler_set_call_instrumentation_filter_callback(other, nullptr);
}

TEST(Filters, ComeAndGoWhileOthersAsk) {
  oriel_method* method = some_method();
  const oriel_profiler_handle one = oriel_profiler_create(nullptr);
  std::atomic<bool> done{false};
  std::atomic<uint64_t> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!done) {
        const uint32_t calls = ask_filters(method, nullptr).calls;
        if (calls != ORIEL_CALLS_NONE && calls != ORIEL_CALLS_ALL) ++wrong;
      }
    });
  }
  const oriel_call_instrumentation_filter_cb all = [](oriel_profiler*, oriel_method*) -> uint32_t {
    return ORIEL_CALLS_ALL;
  };
  const uint32_t before = filter_generation();
  for (int i = 0; i < 2'000; ++i) {
    oriel_profiler_set_call_instrumentation_filter_callback(one, i % 2 ? all : nullptr);
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(filter_generation(), before + 2'000);
  oriel_profiler_set_call_instrumentation_filter_callback(one, nullptr);
  EXPECT_FALSE(has_filters());
}

}  // namespace
}  // namespace oriel
