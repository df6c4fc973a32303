// Removing waits from code that runs at a program's end: recognized by their shape, or left alone.
#include "runtimes/coreclr/quiet_ends.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace oriel::coreclr {
namespace {

constexpr Token kJoin = 0x0a000001, kOther = 0x0a000002;

bool is_join(Token token) { return token == kJoin; }

std::vector<uint8_t> tiny(std::vector<uint8_t> code) {
  code.insert(code.begin(), static_cast<uint8_t>(code.size() << 2 | 2));
  return code;
}

std::vector<uint8_t> fat(const std::vector<uint8_t>& code) {
  std::vector<uint8_t> body = {0x13, 0x30, 2, 0, static_cast<uint8_t>(code.size()), 0, 0, 0, 0, 0, 0, 0};
  body.insert(body.end(), code.begin(), code.end());
  return body;
}

// ldarg.0, call or callvirt; twice; ret
const std::vector<uint8_t> kTwoCalls = {0x02, 0x28, 1, 0, 0, 0x0a, 0x02, 0x6f, 1, 0, 0, 0x0a, 0x2a};
const std::vector<uint8_t> kWithoutTheLast = {0x02, 0x28, 1, 0, 0, 0x0a, 0x02, 0x26, 0, 0, 0, 0, 0x2a};

TEST(QuietEnds, TheLastCallGoesAndAllElseStaysWhereItIs) {
  EXPECT_EQ(without_last_call(tiny(kTwoCalls), 2, is_join), tiny(kWithoutTheLast));
  EXPECT_EQ(without_last_call(fat(kTwoCalls), 2, is_join), fat(kWithoutTheLast));
  const std::vector<uint8_t> one = {0x02, 0x28, 2, 0, 0, 0x0a, 0x02, 0x28, 1, 0, 0, 0x0a, 0x2a};
  EXPECT_EQ(without_last_call(tiny(one), 1, is_join)[8], 0x26);
}

TEST(QuietEnds, WhatIsLongerThanTheBodyIsNotTaken) {
  std::vector<uint8_t> longer = tiny(kTwoCalls);
  longer.insert(longer.end(), {1, 2, 3});
  EXPECT_EQ(without_last_call(longer, 2, is_join), tiny(kWithoutTheLast));
}

TEST(QuietEnds, ABodyOfAnotherShapeStaysAsItIs) {
  EXPECT_TRUE(without_last_call(tiny(kTwoCalls), 1, is_join).empty());
  EXPECT_TRUE(without_last_call(tiny(kTwoCalls), 3, is_join).empty());
  EXPECT_TRUE(without_last_call(tiny(kTwoCalls), 1, [](Token token) { return token == kOther; }).empty());
  EXPECT_TRUE(without_last_call(tiny({0x2a}), 0, is_join).empty());
  EXPECT_TRUE(without_last_call(tiny({0x02, 0x28, 1, 0}), 1, is_join).empty());
  EXPECT_TRUE(without_last_call({}, 1, is_join).empty());
}

constexpr Token kBoundedJoin = 0x0a000003;

std::optional<il::StackEffect> effect_of_join(il::Opcode, uint32_t token) {
  return is_join(token) ? std::optional(il::StackEffect{.pops = 1, .pushes = 0}) : std::nullopt;
}

std::vector<uint8_t> bounded(const std::vector<uint8_t>& body) {
  il::MethodFacts facts;
  facts.call_effect = effect_of_join;
  facts.returns_value = false;
  return with_bounded_wait(body, facts, kBoundedJoin, is_join);
}

TEST(QuietEnds, AWaitWithABoundEndsTheMethodWhenItHasPassed) {
  // ldarg.0, callvirt, ret; ldarg.0, ldc.i4 500, callvirt, brtrue.s +1, ret, ret
  EXPECT_EQ(bounded(tiny({0x02, 0x6f, 1, 0, 0, 0x0a, 0x2a})),
            tiny({0x02, 0x20, 0xf4, 1, 0, 0, 0x6f, 3, 0, 0, 0x0a, 0x2d, 1, 0x2a, 0x2a}));
  EXPECT_TRUE(bounded(tiny(kTwoCalls)).empty());
  EXPECT_TRUE(bounded(tiny({0x2a})).empty());
  EXPECT_TRUE(bounded({}).empty());
}

TEST(QuietEnds, OnlySourcesOfTheRuntimesOwnEndWithoutManagedCode) {
  EXPECT_FALSE(is_managed_source(u"Microsoft-Windows-DotNETRuntime"));
  EXPECT_FALSE(is_managed_source(nullptr));
  EXPECT_TRUE(is_managed_source(u"System.Diagnostics.Metrics"));
  EXPECT_TRUE(is_managed_source(u"Microsoft-Diagnostics-DiagnosticSource"));
  EXPECT_TRUE(is_managed_source(u"*"));
  EXPECT_TRUE(is_managed_source(u"Shop"));
}

}  // namespace
}  // namespace oriel::coreclr
