// What a thread is at: compilations of which Mono does not tell the end, and exceptions in each other's finally blocks.
#include "runtimes/mono/thread_state.h"

#include <gtest/gtest.h>

namespace oriel::mono {
namespace {

MonoMethod* method(uintptr_t number) { return reinterpret_cast<MonoMethod*>(number); }
MonoObject* object(uintptr_t number) { return reinterpret_cast<MonoObject*>(number); }

TEST(MonoCompilations, OneWithoutAnEndIsOverWithTheOneAroundIt) {
  Compilations all{};
  begin_compilation(all, method(1), nullptr);
  begin_compilation(all, method(2), nullptr);
  EXPECT_FALSE(end_compilation(all, method(3)));
  EXPECT_TRUE(end_compilation(all, method(1)));
  EXPECT_EQ(all.depth, 0u);
  EXPECT_FALSE(end_compilation(all, method(2)));
}

TEST(MonoCompilations, OneThatBeginsAnewReplacesItself) {
  Compilations all{};
  for (int i = 0; i < 100; ++i) begin_compilation(all, method(1), nullptr);
  EXPECT_EQ(all.depth, 1u);
  EXPECT_TRUE(end_compilation(all, method(1)));
  EXPECT_EQ(all.depth, 0u);
}

TEST(MonoCompilations, DeepOnesAreCounted) {
  Compilations all{};
  const uint32_t many = Compilations::kMost + 3;
  for (uint32_t i = 1; i <= many; ++i) begin_compilation(all, method(i), nullptr);
  for (uint32_t i = many; i >= 1; --i) EXPECT_TRUE(end_compilation(all, method(i))) << i;
  EXPECT_EQ(all.depth, 0u);
}

TEST(MonoExceptions, EachLeavesMethodsByTheCallThatToldOfIt) {
  ExceptionsInFlight flights{};
  constexpr uintptr_t kOuter = 0x10000, kInner = kOuter - 0xc00;
  begin_flight(flights, kOuter, object(1));
  EXPECT_EQ(exception_in_flight(flights, kOuter), object(1));
  begin_flight(flights, kInner, object(2));
  EXPECT_EQ(exception_in_flight(flights, kInner), object(2));
  EXPECT_EQ(exception_in_flight(flights, kOuter), object(1));
  EXPECT_EQ(exception_in_flight(flights, kInner), nullptr);
  begin_flight(flights, kOuter + 0x2000, object(3));
  EXPECT_EQ(exception_in_flight(flights, kOuter), nullptr);
  EXPECT_EQ(flights.count, 1u);
}

TEST(MonoExceptions, ThoseInDeepNestsAreNotKnown) {
  ExceptionsInFlight flights{};
  for (uintptr_t i = 1; i <= 20; ++i) begin_flight(flights, 0x100000 - i * 0x1000, object(i));
  EXPECT_EQ(exception_in_flight(flights, 0x100000 - 20 * 0x1000), nullptr);
  EXPECT_EQ(exception_in_flight(flights, 0x100000 - 3 * 0x1000), object(3));
}

}  // namespace
}  // namespace oriel::mono
