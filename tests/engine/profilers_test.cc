// Setters and counters: exact whoever sets from wherever; raising while callbacks come and go.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <set>
#include <thread>
#include <vector>

#include "engine/raise.h"
#include "engine/running_engine.h"

namespace {

void on_unwind(oriel_profiler* profiler, oriel_method*) {
  reinterpret_cast<std::atomic<uint64_t>*>(profiler)->fetch_add(1, std::memory_order_relaxed);
}
void on_unwind_too(oriel_profiler* profiler, oriel_method* method) { on_unwind(profiler, method); }

oriel_profiler* as_profiler(std::atomic<uint64_t>& count) { return reinterpret_cast<oriel_profiler*>(&count); }

uint32_t unwind_counter() { return oriel_event_counter(oriel_event_exception_unwind); }

TEST(Setters, CountCallbacksNotCalls) {
  std::atomic<uint64_t> count{0};
  const oriel_profiler_handle handle = oriel_profiler_create(as_profiler(count));
  EXPECT_EQ(unwind_counter(), 0u);
  oriel_profiler_set_exception_unwind_callback(handle, on_unwind);
  oriel_profiler_set_exception_unwind_callback(handle, on_unwind_too);
  EXPECT_EQ(unwind_counter(), 1u);
  oriel_profiler_set_exception_unwind_callback(handle, nullptr);
  oriel_profiler_set_exception_unwind_callback(handle, nullptr);
  EXPECT_EQ(unwind_counter(), 0u);
}

TEST(Setters, EachEventHasItsOwnCounter) {
  const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  std::set<uint32_t> numbers;
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc)                             \
  EXPECT_TRUE(numbers.insert(number).second) << #name " has the number of another event";                \
  EXPECT_EQ(oriel_event_counter(number), 0u) << #name;                                                   \
  oriel_profiler_set_##name##_callback(handle, [](oriel_profiler* ORIEL_SEQ(ORIEL_UNNAMED, fields)) {}); \
  EXPECT_EQ(oriel_event_counter(number), 1u) << #name;                                                   \
  oriel_profiler_set_##name##_callback(handle, nullptr);                                                 \
  EXPECT_EQ(oriel_event_counter(number), 0u) << #name;
#define ORIEL_UNNAMED_A(kind, name) , ORIEL_TYPE_##kind ORIEL_UNNAMED_B
#define ORIEL_UNNAMED_B(kind, name) , ORIEL_TYPE_##kind ORIEL_UNNAMED_A
#define ORIEL_UNNAMED_A_END
#define ORIEL_UNNAMED_B_END
#include "oriel/events.def"
#undef ORIEL_EVENT
  EXPECT_EQ(oriel_event_counter(255), 0u);
  EXPECT_EQ(oriel_event_counter(1u << 20), 0u);
}

TEST(Setters, NothingKeepsEventsFromARuntimeThatHasThemAll) {
  oriel::test::running_engine();
  EXPECT_EQ(oriel_event_obstacle(oriel_event_gc_root), nullptr);
  EXPECT_EQ(oriel_event_obstacle(oriel_event_exception_unwind), nullptr);
  EXPECT_STREQ(oriel_event_obstacle(255), "this Oriel has no event of that number: update it");
}

TEST(Setters, TenThreadsLeaveTheCounterExact) {
  oriel::test::running_engine();
  constexpr int kThreads = 10, kRounds = 20'000;
  std::atomic<uint64_t> count{0};
  const oriel_profiler_handle shared = oriel_profiler_create(as_profiler(count));
  std::atomic<bool> too_many{false};
  std::vector<oriel_profiler_handle> owns;
  for (int t = 0; t < kThreads; ++t) owns.push_back(oriel_profiler_create(as_profiler(count)));
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t, own = owns[t]] {
      for (int i = 0; i < kRounds; ++i) {
        oriel_profiler_set_exception_unwind_callback(shared, (i + t) % 2 ? on_unwind : nullptr);
        oriel_profiler_set_exception_unwind_callback(own, i % 3 ? on_unwind_too : nullptr);
        // Each setter may be counting one more for the moment; never fewer than none.
        if (unwind_counter() > 2 * kThreads + 2) too_many = true;
      }
      oriel_profiler_set_exception_unwind_callback(own, t % 2 ? on_unwind : nullptr);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(too_many);
  oriel_profiler_set_exception_unwind_callback(shared, nullptr);
  EXPECT_EQ(unwind_counter(), 5u);
  oriel_profiler_set_exception_unwind_callback(shared, on_unwind);
  EXPECT_EQ(unwind_counter(), 6u);
  oriel_profiler_set_exception_unwind_callback(shared, nullptr);
  for (const oriel_profiler_handle own : owns) oriel_profiler_set_exception_unwind_callback(own, nullptr);
  EXPECT_EQ(unwind_counter(), 0u);
}

oriel_profiler_handle handle_of_signal;
std::atomic<int> signals_taken{0};

void on_signal(int) {
  static std::atomic<unsigned> round{0};
  oriel_profiler_set_exception_unwind_callback(handle_of_signal, ++round % 2 ? on_unwind : nullptr);
  signals_taken.fetch_add(1);
}

TEST(Setters, SignalHandlerInTheMiddleOfASetterLeavesTheCounterExact) {
  oriel::test::running_engine();
  std::atomic<uint64_t> count{0};
  handle_of_signal = oriel_profiler_create(as_profiler(count));
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ASSERT_EQ(sigaction(SIGUSR2, &action, nullptr), 0);
  std::atomic<bool> done{false};
  std::thread setter([&] {
    for (unsigned i = 0; !done; ++i) {
      oriel_profiler_set_exception_unwind_callback(handle_of_signal, i % 2 ? on_unwind_too : nullptr);
    }
  });
  const pthread_t target = setter.native_handle();
  for (int i = 1; i <= 2000; ++i) {
    pthread_kill(target, SIGUSR2);
    while (signals_taken < i) std::this_thread::yield();
  }
  done = true;
  setter.join();
  oriel_profiler_set_exception_unwind_callback(handle_of_signal, on_unwind);
  EXPECT_EQ(unwind_counter(), 1u);
  oriel_profiler_set_exception_unwind_callback(handle_of_signal, nullptr);
  EXPECT_EQ(unwind_counter(), 0u);
}

TEST(Raising, ReachesEveryListenerInTheOrderOfCreation) {
  static std::vector<int>* order = nullptr;
  std::vector<int> seen;
  order = &seen;
  int ids[3] = {1, 2, 3};
  oriel_profiler_handle handles[3];
  for (int i = 0; i < 3; ++i) handles[i] = oriel_profiler_create(reinterpret_cast<oriel_profiler*>(&ids[i]));
  for (const oriel_profiler_handle handle : {handles[2], handles[0], handles[1]}) {
    oriel_profiler_set_gc_end_callback(handle, [](oriel_profiler* profiler, uint32_t number, uint32_t generation) {
      order->push_back(*reinterpret_cast<int*>(profiler));
      EXPECT_EQ(number, 7u);
      EXPECT_EQ(generation, 2u);
    });
  }
  oriel::raise_gc_end(7u, 2u);
  EXPECT_EQ(seen, (std::vector<int>{1, 2, 3}));
  for (const oriel_profiler_handle handle : handles) oriel_profiler_set_gc_end_callback(handle, nullptr);
  oriel::raise_gc_end(8u, 2u);
  EXPECT_EQ(seen.size(), 3u);
}

TEST(Raising, GoesOnWhileCallbacksAreSetAndRemoved) {
  std::atomic<uint64_t> steady{0}, coming_and_going{0};
  const oriel_profiler_handle stays = oriel_profiler_create(as_profiler(steady));
  const oriel_profiler_handle changes = oriel_profiler_create(as_profiler(coming_and_going));
  oriel_profiler_set_exception_unwind_callback(stays, on_unwind);
  constexpr uint64_t kEach = 50'000;
  std::atomic<int> raising{4};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (uint64_t i = 0; i < kEach; ++i) oriel::raise_exception_unwind(static_cast<oriel_method*>(nullptr));
      raising.fetch_sub(1);
    });
  }
  while (raising > 0) {
    oriel_profiler_set_exception_unwind_callback(changes, on_unwind_too);
    oriel_profiler_set_exception_unwind_callback(changes, nullptr);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(steady.load(), 4 * kEach);
  const uint64_t after = coming_and_going;
  oriel::raise_exception_unwind(static_cast<oriel_method*>(nullptr));
  EXPECT_EQ(coming_and_going.load(), after);
  oriel_profiler_set_exception_unwind_callback(stays, nullptr);
}

}  // namespace
