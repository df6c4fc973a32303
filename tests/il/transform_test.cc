// Single return, whole-body clauses, jmp.
#include <gtest/gtest.h>

#include "il/transform.h"
#include "il/verify.h"
#include "listing.h"

namespace oriel::il::test {
namespace {

MethodFacts returning(bool value) {
  MethodFacts facts;
  facts.returns_value = value;
  facts.local_count = 1;
  facts.argument_count = 2;
  facts.call_effect = [value](Opcode, uint32_t) { return StackEffect{0, static_cast<uint16_t>(value)}; };
  return facts;
}

void expect_good(Body& body, bool value) {
  const Status verified = verify(body, returning(value));
  EXPECT_TRUE(verified) << verified.message();
  Body again = through(body);
  EXPECT_EQ(listing(again), listing(body));
}

// ldarg.0; brtrue.s → ldc 1; ldc 0; ret; ldc 1; ret
const Bytes kTwoReturns = tiny({0x02, 0x2d, 0x02, 0x16, 0x2a, 0x17, 0x2a});

TEST(SingleReturn, JoinsAllReturnsThroughALocal) {
  Body body = body_of(kTwoReturns);
  const auto joined = make_single_return(body, 0, TailCalls::kDrop);
  ASSERT_TRUE(joined);
  EXPECT_EQ(listing(body), "ldarg.0; brtrue >5; ldc.i4.0; stloc.0; br >8; ldc.i4.1; stloc.0; br >8; ldloc.0; ret");
  EXPECT_EQ(joined->exit, body.last()->previous());
  EXPECT_EQ(joined->ret, body.last());
  expect_good(body, true);
}

TEST(SingleReturn, OfVoidNeedsNoLocal) {
  Body body = body_of(tiny({0x02, 0x2d, 0x01, 0x2a, 0x2a}));
  ASSERT_TRUE(make_single_return(body, std::nullopt, TailCalls::kDrop));
  EXPECT_EQ(listing(body), "ldarg.0; brtrue >3; br >4; br >4; ret");
  expect_good(body, false);
}

TEST(SingleReturn, ThatNeverReturnsIsLeftAlone) {
  Body body = body_of(tiny({0x14, 0x7a}));
  const auto joined = make_single_return(body, 0, TailCalls::kDrop);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->exit, nullptr);
  EXPECT_EQ(listing(body), "ldnull; throw");
}

TEST(SingleReturn, RetInNestedTryBecomesLeave) {
  // try { try { ldc 0; ret } catch { pop; ldc 1; ret } } finally { endfinally } – as no compiler writes it
  Body body =
      body_of(with_clauses({0x16, 0x2a, 0x26, 0x17, 0x2a, 0xdc}, {{0, 0, 2, 2, 3, 0x01000001}, {2, 0, 5, 5, 1}}));
  EXPECT_FALSE(verify(body, returning(true)));
  ASSERT_TRUE(make_single_return(body, 0, TailCalls::kDrop));
  EXPECT_EQ(listing(body), "ldc.i4.0; stloc.0; leave >8; pop; ldc.i4.1; stloc.0; leave >8; endfinally; ldloc.0; ret");
  EXPECT_EQ(clause_listing(body), "catch 0-3 3-7; finally 0-7 7-8");
  expect_good(body, true);
}

TEST(SingleReturn, RetInAFinallyIsRefused) {
  Body body = body_of(with_clauses({0xde, 0x01, 0x2a, 0x2a}, {{2, 0, 2, 2, 1}}));
  const std::string before = listing(body);
  EXPECT_FALSE(make_single_return(body, std::nullopt, TailCalls::kDrop));
  EXPECT_EQ(listing(body), before);
}

// ldarg.0; brtrue.s → ret; tail. call M; ret
const Bytes kTailCall = tiny({0x02, 0x2d, 0x07, 0xfe, 0x14, 0x28, 1, 0, 0, 6, 0x2a});

TEST(SingleReturn, TailCallsKeepTheirRetOrBecomeCalls) {
  Body kept = body_of(kTailCall);
  ASSERT_TRUE(make_single_return(kept, std::nullopt, TailCalls::kKeep));
  EXPECT_EQ(listing(kept), "ldarg.0; brtrue >5; tail.; call 6000001; ret; br >6; ret");
  expect_good(kept, false);
  Body dropped = body_of(kTailCall);
  const auto joined = make_single_return(dropped, std::nullopt, TailCalls::kDrop);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->dropped_tail_calls, 1u);
  EXPECT_EQ(listing(dropped), "ldarg.0; brtrue >3; call 6000001; br >4; ret");
  expect_good(dropped, false);
}

TEST(Wrap, FinallyFaultAndCatch) {
  for (ClauseKind kind : {ClauseKind::kFinally, ClauseKind::kFault}) {
    Body body = body_of(kTwoReturns);
    const auto wrapped = wrap_in_try(body, kind, 0, 0);
    ASSERT_TRUE(wrapped);
    EXPECT_EQ(listing(body),
              "ldarg.0; brtrue >5; ldc.i4.0; stloc.0; leave >9; ldc.i4.1; stloc.0; leave >9; endfinally; ldloc.0; ret");
    EXPECT_EQ(clause_listing(body), kind == ClauseKind::kFinally ? "finally 0-8 8-9" : "fault 0-8 8-9");
    expect_good(body, true);
  }
  Body body = body_of(tiny({0x2a}));
  const auto wrapped = wrap_in_try(body, ClauseKind::kCatch, 0x0100000a, std::nullopt);
  ASSERT_TRUE(wrapped);
  EXPECT_EQ(listing(body), "leave >3; pop; rethrow; ret");
  EXPECT_EQ(clause_listing(body), "catch 0-1 1-3");
  EXPECT_EQ(body.clauses[0].class_token, 0x0100000au);
  expect_good(body, false);
}

TEST(Wrap, GoesAroundWhatIsThereAndAroundItself) {
  Body body = body_of(with_clauses({0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a}, {{0, 0, 3, 3, 3, 0x01000001}}));
  ASSERT_TRUE(wrap_in_try(body, ClauseKind::kFault, 0, std::nullopt));
  EXPECT_EQ(listing(body), "nop; leave >4; pop; leave >4; leave >6; endfinally; ret");
  ASSERT_TRUE(wrap_in_try(body, ClauseKind::kFinally, 0, std::nullopt));
  EXPECT_EQ(clause_listing(body), "catch 0-2 2-4; fault 0-5 5-6; finally 0-7 7-8");
  expect_good(body, false);
}

TEST(Wrap, OfAMethodThatOnlyThrowsEndsWithItsHandler) {
  Body body = body_of(tiny({0x14, 0x7a}));
  ASSERT_TRUE(wrap_in_try(body, ClauseKind::kFault, 0, std::nullopt));
  EXPECT_EQ(listing(body), "ldnull; throw; endfinally");
  EXPECT_EQ(clause_listing(body), "fault 0-2 2-3");
  expect_good(body, false);
}

TEST(Wrap, EntryCodeOutsideIsNotRunAgainByALoop) {
  Body body = body_of(tiny({0x02, 0x2d, 0xfd, 0x2a}));  // ldarg.0; brtrue.s → ldarg.0; ret
  ASSERT_TRUE(wrap_in_try(body, ClauseKind::kFault, 0, std::nullopt));
  body.insert_before(body.first(), body.make(Opcode::Nop), Branches::kStay, Regions::kOfPrevious);
  EXPECT_EQ(listing(body), "nop; ldarg.0; brtrue >1; leave >5; endfinally; ret");
  EXPECT_EQ(clause_listing(body), "fault 1-4 4-5");
  expect_good(body, false);
}

TEST(Jmp, CannotBeWrappedUntilItIsACall) {
  Body body = body_of(tiny({0x02, 0x2d, 0x01, 0x2a, 0x27, 1, 0, 0, 6}));  // ldarg.0; brtrue.s → jmp; ret; jmp M
  EXPECT_FALSE(wrap_in_try(body, ClauseKind::kFault, 0, std::nullopt));
  EXPECT_EQ(listing(body), "ldarg.0; brtrue >3; ret; jmp 6000001");
  EXPECT_EQ(expand_jumps(body, 2, false, TailCalls::kKeep), 1u);
  EXPECT_EQ(listing(body), "ldarg.0; brtrue >3; ret; ldarg.0; ldarg.1; tail.; call 6000001; ret");
  expect_good(body, false);
  EXPECT_TRUE(wrap_in_try(body, ClauseKind::kFault, 0, std::nullopt));
  expect_good(body, false);

  Body bare = body_of(tiny({0x27, 1, 0, 0, 6}));
  expand_jumps(bare, 0, true, TailCalls::kKeep);
  EXPECT_EQ(listing(bare), "tail.; call 6000001; ret");
}

}  // namespace
}  // namespace oriel::il::test
