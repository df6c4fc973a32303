// Where probes stand in a method, and that what comes of it is well formed.
#include "il/probes/probes.h"

#include <gtest/gtest.h>

#include <sstream>

#include "il/transform.h"
#include "il/verify.h"
#include "listing.h"

namespace oriel::il::test {
namespace {

constexpr uint64_t kEnter = 0x10000, kLeave = 0x20000, kTail = 0x30000, kException = 0x40000, kAllocation = 0x50000,
                   kEnterFull = 0x60000, kLeaveFull = 0x70000, kAllocationFull = 0x80000;
constexpr uint32_t kCallSignature = 0x11000001, kAllocationSignature = 0x11000002, kFullSignature = 0x11000003;

CallProbes all_probes(bool returns_value) {
  CallProbes probes;
  probes.enter = kEnter;
  probes.leave = kLeave;
  probes.tail_call = kTail;
  probes.exception_leave = kException;
  probes.method = 0x7777;
  probes.call_signature = kCallSignature;
  probes.target_local = 0;
  if (returns_value) probes.return_local = 1;
  return probes;
}

MethodFacts facts_of(bool returns_value) {
  MethodFacts facts;
  facts.returns_value = returns_value;
  facts.local_count = 5;
  facts.argument_count = 2;
  facts.call_effect = [=](Opcode opcode, uint32_t token) -> std::optional<StackEffect> {
    if (token == kCallSignature) return StackEffect{4, 0};
    if (token == kAllocationSignature) return StackEffect{3, 0};
    if (token == kFullSignature) return StackEffect{6, 0};
    if (opcode == Opcode::Newobj) return StackEffect{0, 1};
    return StackEffect{0, static_cast<uint16_t>(returns_value)};
  };
  return facts;
}

const char* probe_at(const Instruction& at) {
  if (at.opcode() != Opcode::Ldc_I8 && at.opcode() != Opcode::Ldc_I4) return nullptr;
  switch (static_cast<uint64_t>(at.operand())) {
    case kEnter:
      return "ENTER";
    case kLeave:
      return "LEAVE";
    case kTail:
      return "TAIL";
    case kException:
      return "EXCEPTION";
    case kAllocation:
      return "ALLOCATION";
    case kEnterFull:
      return "ENTER-FULL";
    case kLeaveFull:
      return "LEAVE-FULL";
    case kAllocationFull:
      return "ALLOCATION-FULL";
    default:
      return nullptr;
  }
}

// "ENTER ldarg.0 brtrue … ret": each probe as one word, from its first instruction to its call.
std::string outline(Body& body) {
  std::ostringstream text;
  for (const Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (at != body.first()) text << ' ';
    const char* probe = probe_at(*at);
    text << (probe ? probe : at->info().name);
    while (probe && at->opcode() != Opcode::Calli) at = at->next();
  }
  return text.str();
}

void expect_good(Body& body, bool returns_value) {
  const Status verified = verify(body, facts_of(returns_value));
  EXPECT_TRUE(verified) << verified.message();
  const Result<Encoded> encoded = encode(body, facts_of(returns_value));
  ASSERT_TRUE(encoded) << encoded.message();
  Body again = body_of(encoded->bytes);
  EXPECT_EQ(outline(again), outline(body));
  const Status verified_again = verify(again, facts_of(returns_value));
  EXPECT_TRUE(verified_again) << verified_again.message();
}

std::string with_probes(const Bytes& bytes, const CallProbes& probes, std::string* clauses = nullptr) {
  Body body = body_of(bytes);
  const auto inserted = insert_call_probes(body, probes);
  if (!inserted) return inserted.message();
  expect_good(body, probes.return_local.has_value());
  if (clauses) {
    clauses->clear();
    for (const Clause& clause : body.clauses) *clauses += clause.kind == ClauseKind::kFault ? "fault " : "other ";
  }
  return outline(body);
}

TEST(CallProbes, OfAPlainMethod) {
  std::string clauses;
  EXPECT_EQ(with_probes(tiny({0x2a}), all_probes(false), &clauses), "ENTER leave EXCEPTION endfinally LEAVE ret");
  EXPECT_EQ(clauses, "fault ");
  EXPECT_EQ(with_probes(tiny({0x16, 0x2a}), all_probes(true)),
            "ENTER ldc.i4.0 stloc.1 leave EXCEPTION endfinally LEAVE ldloc.1 ret");
}

TEST(CallProbes, EveryReturnMeetsTheOneLeave) {
  // ldarg.0; brtrue.s → ldc 1; ldc 0; ret; ldc 1; ret
  Body body = body_of(tiny({0x02, 0x2d, 0x02, 0x16, 0x2a, 0x17, 0x2a}));
  CallProbes probes = all_probes(true);
  probes.exception_leave = 0;
  ASSERT_TRUE(insert_call_probes(body, probes));
  EXPECT_EQ(outline(body), "ENTER ldarg.0 brtrue ldc.i4.0 stloc.1 br ldc.i4.1 stloc.1 br LEAVE ldloc.1 ret");
  for (const Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (at->opcode() != Opcode::Br) continue;
    const char* probe = probe_at(*at->target());
    EXPECT_TRUE(probe != nullptr && std::string(probe) == "LEAVE");
  }
  expect_good(body, true);
}

// With one object and one byref to pin, in locals 3 and 4.
CallProbes with_full_probes(CallProbes probes) {
  probes.enter_full = kEnterFull;
  probes.leave_full = kLeaveFull;
  ContextProbe full;
  full.function = 0x9999;
  full.layout = 0x8888;
  full.call_signature = kFullSignature;
  full.words = {{ContextWord::Kind::kArgumentAddress, 0, 0}, {ContextWord::Kind::kArgument, 1, 0}};
  full.pins = {{{ContextWord::Kind::kArgument, 0, 0}, false, 3}, {{ContextWord::Kind::kArgument, 1, 0}, true, 4}};
  probes.enter_full_context = probes.leave_full_context = full;
  return probes;
}

TEST(CallProbes, OfTheFullKindComeBehindTheOthersAndPinWhatTheyHandOver) {
  const std::string let_go = " ldnull stloc.3 ldc.i4.0 conv.u stloc.s ";
  EXPECT_EQ(with_probes(tiny({0x16, 0x2a}), with_full_probes(all_probes(true))),
            "ENTER ENTER-FULL" + let_go + "ldc.i4.0 stloc.1 leave EXCEPTION endfinally LEAVE LEAVE-FULL" + let_go +
                "ldloc.1 ret");
  CallProbes alone = with_full_probes({});
  alone.method = 0x7777;
  EXPECT_EQ(with_probes(tiny({0x2a}), alone), "ENTER-FULL" + let_go + "br LEAVE-FULL" + let_go + "ret");
  // A tail call has no leave of this kind, and stays one.
  const Bytes tail = tiny({0x02, 0x2d, 0x07, 0xfe, 0x14, 0x28, 1, 0, 0, 6, 0x2a});
  EXPECT_EQ(with_probes(tail, alone),
            "ENTER-FULL" + let_go + "ldarg.0 brtrue tail. call ret br LEAVE-FULL" + let_go + "ret");
}

TEST(CallProbes, OfTheFullKindAreMetByEveryReturn) {
  // ldarg.0; brtrue.s → ldc 1; ldc 0; ret; ldc 1; ret
  Body body = body_of(tiny({0x02, 0x2d, 0x02, 0x16, 0x2a, 0x17, 0x2a}));
  CallProbes probes = with_full_probes(all_probes(true));
  probes.exception_leave = 0;
  ASSERT_TRUE(insert_call_probes(body, probes));
  for (const Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    const char* probe = at->opcode() == Opcode::Br ? probe_at(*at->target()) : "LEAVE";
    EXPECT_TRUE(probe != nullptr && std::string(probe) == "LEAVE");
    // While nobody hears the first kind, the second is asked none the less.
    probe = probe_at(*at);
    if (probe == nullptr || std::string(probe) != "LEAVE") continue;
    while (at->opcode() != Opcode::Brfalse) at = at->next();
    probe = probe_at(*at->target());
    EXPECT_TRUE(probe != nullptr && std::string(probe) == "LEAVE-FULL");
  }
  expect_good(body, true);
}

TEST(CallProbes, ALoopToTheFirstInstructionEntersOnce) {
  // ldarg.0; brtrue.s → ldarg.0; ret
  Body body = body_of(tiny({0x02, 0x2d, 0xfd, 0x2a}));
  ASSERT_TRUE(insert_call_probes(body, all_probes(false)));
  for (const Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (at->opcode() != Opcode::Brtrue) continue;
    EXPECT_EQ(at->target()->opcode(), Opcode::Ldarg_0);
  }
  expect_good(body, false);
}

TEST(CallProbes, OfAMethodThatNeverReturns) {
  EXPECT_EQ(with_probes(tiny({0x14, 0x7a}), all_probes(false)), "ENTER ldnull throw EXCEPTION endfinally");
}

TEST(CallProbes, TailCallsStayTailCalls) {
  // ldarg.0; brtrue.s → ret; tail. call M; ret
  const Bytes tail = tiny({0x02, 0x2d, 0x07, 0xfe, 0x14, 0x28, 1, 0, 0, 6, 0x2a});
  std::string clauses;
  EXPECT_EQ(with_probes(tail, all_probes(false), &clauses), "ENTER ldarg.0 brtrue TAIL tail. call ret br LEAVE ret");
  EXPECT_EQ(clauses, "") << "nothing may stand between a tail call and its ret, a try block neither";
  EXPECT_EQ(with_probes(tiny({0x27, 1, 0, 0, 6}), all_probes(false), &clauses), "ENTER TAIL jmp");
  Body body = body_of(tail);
  EXPECT_TRUE(insert_call_probes(body, all_probes(false))->has_tail_calls);
  Body none = body_of(tiny({0x2a}));
  EXPECT_FALSE(insert_call_probes(none, all_probes(false))->has_tail_calls);
}

TEST(CallProbes, ATailCallsProbeIsGivenWhereItGoes) {
  const auto given = [](const Bytes& bytes) {
    CallProbes probes = all_probes(false);
    std::string asked;
    probes.target_of_tail_call = [&](const Instruction& call) {
      asked += call.info().name;
      return uint64_t{0x5555};
    };
    Body body = body_of(bytes);
    EXPECT_TRUE(insert_call_probes(body, probes));
    expect_good(body, false);
    for (const Instruction* at = body.first(); !at->is_end(); at = at->next()) {
      if (at->opcode() == Opcode::Ldc_I8 && at->operand() == 0x5555) asked += " given";
    }
    return asked;
  };
  EXPECT_EQ(given(tiny({0xfe, 0x14, 0x28, 1, 0, 0, 6, 0x2a})), "call given");
  EXPECT_EQ(given(tiny({0x27, 1, 0, 0, 6})), "jmp given");
  EXPECT_EQ(given(tiny({0x2a})), "");
}

TEST(CallProbes, GoAroundTheClausesThereAre) {
  // try { nop; leave } catch { pop; leave } ret
  Body body = body_of(with_clauses({0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a}, {{0, 0, 3, 3, 3, 0x01000001}}));
  ASSERT_TRUE(insert_call_probes(body, all_probes(false)));
  EXPECT_EQ(outline(body), "ENTER nop leave pop leave leave EXCEPTION endfinally LEAVE ret");
  ASSERT_EQ(body.clauses.size(), 2u);
  EXPECT_EQ(body.clauses[0].kind, ClauseKind::kCatch);
  EXPECT_EQ(body.clauses[1].kind, ClauseKind::kFault);
  expect_good(body, false);
}

TEST(CallProbes, OnlyThoseThatAreAskedFor) {
  CallProbes probes = all_probes(false);
  probes.leave = probes.exception_leave = probes.tail_call = 0;
  EXPECT_EQ(with_probes(tiny({0x2a}), probes), "ENTER ret");
  probes.enter = 0;
  EXPECT_EQ(with_probes(tiny({0x2a}), probes), "ret");
}

TEST(CallProbes, ARetInAFinallyIsRefused) {
  Body body = body_of(with_clauses({0xde, 0x01, 0x2a, 0x2a}, {{2, 0, 2, 2, 1}}));
  EXPECT_FALSE(insert_call_probes(body, all_probes(false)));
}

AllocationProbe allocation_probe() {
  AllocationProbe probe;
  probe.cell = kAllocation;
  probe.function = 0x8888;
  probe.method = 0x7777;
  probe.call_signature = kAllocationSignature;
  return probe;
}

TEST(AllocationProbe, StandsBehindTheObject) {
  // newobj; pop; ret
  Body body = body_of(tiny({0x73, 1, 0, 0, 6, 0x26, 0x2a}));
  insert_allocation_probe(body, body.first(), allocation_probe());
  EXPECT_EQ(outline(body), "newobj ALLOCATION pop ret");
  expect_good(body, false);
}

TEST(AllocationProbe, IsNotMetByBranchesPastTheAllocation) {
  // ldarg.0; brtrue.s → ldnull; newobj; br.s → pop; ldnull; pop; ret
  Body body = body_of(tiny({0x02, 0x2d, 0x07, 0x73, 1, 0, 0, 6, 0x2b, 0x01, 0x14, 0x26, 0x2a}));
  Instruction* newobj = body.first()->next()->next();
  ASSERT_EQ(newobj->opcode(), Opcode::Newobj);
  insert_allocation_probe(body, newobj, allocation_probe());
  EXPECT_EQ(outline(body), "ldarg.0 brtrue newobj ALLOCATION br ldnull pop ret");
  expect_good(body, false);
}

TEST(AllocationProbe, OfAGenericParameterLooksWhetherABoxIsMade) {
  // ldarg.0; box T; pop; ret
  Body body = body_of(tiny({0x02, 0x8c, 1, 0, 0, 0x1b, 0x26, 0x2a}));
  AllocationProbe probe = allocation_probe();
  probe.parameter = 0x1b000001;
  probe.parameter_local = 2;
  insert_allocation_probe(body, body.first()->next(), probe);
  EXPECT_EQ(outline(body), "ldarg.0 box ldloca.s initobj ldloc.2 box brfalse ALLOCATION pop ret");
  expect_good(body, false);
}

TEST(AllocationProbe, OfTheFullKindPinsTheObjectAndComesBehindTheOther) {
  // newobj; pop; ret
  Body body = body_of(tiny({0x73, 1, 0, 0, 6, 0x26, 0x2a}));
  AllocationProbe full = allocation_probe();
  full.cell = kAllocationFull;
  full.pin_local = 3;
  insert_allocation_probe(body, body.first(), full);
  insert_allocation_probe(body, body.first(), allocation_probe());
  EXPECT_EQ(outline(body), "newobj ALLOCATION ALLOCATION-FULL ldnull stloc.3 pop ret");
  for (const Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (at->opcode() != Opcode::Brfalse) continue;
    const char* probe = probe_at(*at->target());
    EXPECT_EQ(probe ? std::string(probe) : "", "ALLOCATION-FULL") << "whoever hears the other";
    break;
  }
  expect_good(body, false);
}

TEST(AllInOne, AllocationAndCallProbes) {
  Body body = body_of(tiny({0x73, 1, 0, 0, 6, 0x2a}));
  insert_allocation_probe(body, body.first(), allocation_probe());
  ASSERT_TRUE(insert_call_probes(body, all_probes(true)));
  EXPECT_EQ(outline(body), "ENTER newobj ALLOCATION stloc.1 leave EXCEPTION endfinally LEAVE ldloc.1 ret");
  expect_good(body, true);
}

}  // namespace
}  // namespace oriel::il::test
