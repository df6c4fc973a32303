// Where coverage is counted in a method, and that what probes make of it is well formed and counts that.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "il/operands.h"
#include "il/probes/coverage_points.h"
#include "il/probes/coverage_probes.h"
#include "il/probes/coverage_sums.h"
#include "il/verify.h"
#include "listing.h"

namespace oriel::il::test {
namespace {

constexpr uint64_t kHits = 0x7f0000000000;
constexpr uint32_t kQuestion = 0x11000001;
constexpr uint16_t kCounters = 3;

// Calls take nothing; those to methods of odd number give a value back.
MethodFacts facts_of(bool returns_value = false, bool has_this = false) {
  MethodFacts facts;
  facts.returns_value = returns_value;
  facts.local_count = 4;
  facts.argument_count = 2;
  facts.has_this = has_this;
  facts.call_effect = [](Opcode opcode, uint32_t token) -> std::optional<StackEffect> {
    if (opcode == Opcode::Calli && token == kQuestion) return StackEffect{1, 1};
    return StackEffect{0, static_cast<uint16_t>(token & 1)};
  };
  return facts;
}

// "0 5 5:0=2 5:1=1": runs by their offsets, outcomes as offset:outcome, =counter where that is not its place among the
// runs.
std::string text(const std::vector<CoveragePoint>& points) {
  std::ostringstream out;
  uint32_t runs = 0;
  for (const CoveragePoint& point : points) {
    if (&point != points.data()) out << ' ';
    out << point.il;
    if (point.kind == CoveragePoint::Kind::kOutcome) {
      out << ':' << point.outcome << '=' << point.counter;
    } else if (point.counter != runs++) {
      out << '=' << point.counter;
    }
  }
  return out.str();
}

std::string points_of(const Bytes& bytes, const MethodFacts& facts = facts_of()) {
  Body body = body_of(bytes);
  return text(coverage_points(body, facts));
}

CoverageProbes hits() { return {.hits = kHits}; }
CoverageProbes counts() {
  return {
      .counters_of_thread = 0x5000, .call_signature = kQuestion, .counters_local = kCounters, .first_counter = 0x40};
}

// A machine that knows just what the tests' code does: constants, arguments 0 and 1, branches, calls without effect.
// Counts what the probes count; `order` are offsets of the original code as they are executed.
struct Run {
  std::map<uint32_t, uint64_t> counted;
  std::vector<uint32_t> order;
};

class Machine {
 public:
  Machine(Body& body, std::vector<int64_t> arguments, uint32_t throws_at)
      : body_(body), arguments_(std::move(arguments)), throws_at_(throws_at) {}

  Run run() {
    const Instruction* at = body_.first();
    for (int steps = 0; at != nullptr && !at->is_end() && steps < 1000; ++steps) at = step(*at);
    return std::move(run_);
  }

 private:
  int64_t pop() {
    if (stack_.empty()) return ADD_FAILURE() << "nothing on the stack", 0;
    const int64_t value = stack_.back();
    stack_.pop_back();
    return value;
  }

  const Instruction* step(const Instruction& at) {
    if (at.original_offset() == throws_at_) return nullptr;
    if (at.original_offset() != kNoOffset) run_.order.push_back(at.original_offset());
    switch (at.opcode()) {
      case Opcode::Ldarg_0:
      case Opcode::Ldarg_1:
        stack_.push_back(arguments_[at.opcode() == Opcode::Ldarg_1]);
        break;
      case Opcode::Ldc_I4_0:
      case Opcode::Ldc_I4_1:
        stack_.push_back(at.opcode() == Opcode::Ldc_I4_1);
        break;
      case Opcode::Ldc_I4_S:
      case Opcode::Ldc_I4:
      case Opcode::Ldc_I8:
        stack_.push_back(at.operand());
        break;
      case Opcode::Pop:
        pop();
        break;
      case Opcode::Sub: {
        const int64_t by = pop();
        stack_.push_back(pop() - by);
        break;
      }
      case Opcode::Add: {
        const int64_t more = pop();
        stack_.push_back(pop() + more);
        break;
      }
      case Opcode::Starg_S:
        arguments_[static_cast<size_t>(at.operand())] = pop();
        break;
      case Opcode::Ldloc_3:
        stack_.push_back(counters_);
        break;
      case Opcode::Stloc_3:
        counters_ = pop();
        break;
      case Opcode::Ldind_U1:
        stack_.push_back(run_.counted.contains(static_cast<uint32_t>(pop() - static_cast<int64_t>(kHits))));
        break;
      case Opcode::Stind_I1:
        EXPECT_EQ(pop(), 1);
        run_.counted[static_cast<uint32_t>(pop() - static_cast<int64_t>(kHits))] = 1;
        break;
      case Opcode::Ldind_I8:
        stack_.push_back(static_cast<int64_t>(run_.counted[counter_at(pop())]));
        break;
      case Opcode::Stind_I8: {
        const int64_t value = pop();
        run_.counted[counter_at(pop())] = static_cast<uint64_t>(value);
        break;
      }
      case Opcode::Call:
        if ((at.token() & 1) != 0) stack_.push_back(0);
        break;
      case Opcode::Calli:
        EXPECT_EQ(pop(), 0x5000);
        stack_.push_back(0x100000);
        break;
      case Opcode::Br:
      case Opcode::Leave:
        return at.target();
      case Opcode::Brtrue:
        if (pop() != 0) return at.target();
        break;
      case Opcode::Brfalse:
        if (pop() == 0) return at.target();
        break;
      case Opcode::Switch: {
        const auto which = static_cast<uint64_t>(pop());
        if (which < at.cases().size()) return at.cases()[which];
        break;
      }
      case Opcode::Ret:
      case Opcode::Throw:
      case Opcode::Jmp:
      case Opcode::Endfinally:
        return nullptr;
      default:
        break;
    }
    return at.next();
  }

  uint32_t counter_at(int64_t address) const { return static_cast<uint32_t>((address - 0x100000 - 0x40) / 8); }

  Body& body_;
  std::vector<int64_t> arguments_, stack_;
  uint32_t throws_at_;
  int64_t counters_ = 0;
  Run run_;
};

Body with_probes(const Bytes& bytes, CoverageProbes probes, const MethodFacts& facts,
                 std::vector<CoveragePoint>* points = nullptr, std::vector<CounterSum>* sums = nullptr) {
  Body body = body_of(bytes);
  const std::vector<CoveragePoint> found = coverage_points(body, facts);
  if (points != nullptr) *points = found;
  if (sums != nullptr) {
    *sums = coverage_sums(body, facts, found);
    probes.needs = [sums](uint32_t counter) {
      return std::ranges::find(*sums, counter, &CounterSum::counter) == sums->end();
    };
  }
  insert_coverage_probes(body, found, probes);
  const Status verified = verify(body, facts);
  EXPECT_TRUE(verified) << verified.message() << "\n" << listing(body);
  const Result<Encoded> encoded = encode(body, facts);
  EXPECT_TRUE(encoded) << encoded.message();
  return body;
}

// "0=1+4 2=1": what is not counted, and of what it is the sum.
std::string text(const std::vector<CounterSum>& sums) {
  std::ostringstream out;
  for (const CounterSum& sum : sums) {
    out << (&sum != sums.data() ? " " : "") << sum.counter;
    for (size_t i = 0; i < sum.of.size(); ++i) out << (i != 0 ? '+' : '=') << sum.of[i];
  }
  return out.str();
}

std::string sums_of(const Bytes& bytes, const MethodFacts& facts = facts_of()) {
  Body body = body_of(bytes);
  return text(coverage_sums(body, facts, coverage_points(body, facts)));
}

void add_up(const std::vector<CounterSum>& sums, std::map<uint32_t, uint64_t>& counted) {
  for (const CounterSum& sum : sums) {
    EXPECT_FALSE(counted.contains(sum.counter)) << sum.counter << " is counted";
    for (const uint32_t term : sum.of) counted[sum.counter] += counted[term];
  }
}

// Executes with each kind of probe, and with counts that are summed up, and holds what was counted against what was
// executed: each run as often as its first instruction, and an outcome as often as it came.
void expect_counted(const Bytes& bytes, std::vector<int64_t> arguments, const MethodFacts& facts = facts_of(),
                    uint32_t throws_at = UINT32_MAX - 1) {
  Body plain = body_of(bytes);
  const Run original = Machine(plain, arguments, throws_at).run();
  for (const int way : {0, 1, 2}) {
    const bool counting = way != 0;
    std::vector<CoveragePoint> points;
    std::vector<CounterSum> sums;
    Body body = with_probes(bytes, counting ? counts() : hits(), facts, &points, way == 2 ? &sums : nullptr);
    Run run = Machine(body, arguments, throws_at).run();
    add_up(sums, run.counted);
    EXPECT_EQ(run.order, original.order) << listing(body);
    for (const CoveragePoint& point : points) {
      uint64_t times = 0;
      for (size_t i = 0; i < run.order.size(); ++i) {
        if (run.order[i] != point.il) continue;
        if (point.kind == CoveragePoint::Kind::kRun) {
          ++times;
          continue;
        }
        if (i + 1 == run.order.size()) continue;
        const Instruction& branch = *plain.at_original_offset(point.il);
        const Instruction* to = plain.at_original_offset(run.order[i + 1]);
        const auto leads = [&](uint32_t outcome) {
          if (branch.target() != nullptr) return outcome == 0 ? branch.target() == to : branch.next() == to;
          return outcome < branch.cases().size() ? branch.cases()[outcome] == to : branch.next() == to;
        };
        if (leads(point.outcome)) ++times;
      }
      if (!counting) times = times != 0;
      // An exception that comes with a run's first instruction comes behind its probe.
      if (point.kind == CoveragePoint::Kind::kRun && point.il == throws_at) continue;
      EXPECT_EQ(run.counted[point.counter], times)
          << (counting ? "count" : "hit") << (way == 2 ? " by sums of " : " of ") << point.il << ":" << point.outcome
          << "\n"
          << listing(body);
    }
  }
}

// if (a0) M(); M(): ldarg.0; brfalse.s → 8; call M; call M; ret
const Bytes kIf = tiny({0x02, 0x2c, 0x05, 0x28, 2, 0, 0, 6, 0x28, 2, 0, 0, 6, 0x2a});

TEST(CoveragePoints, OfStraightCode) {
  EXPECT_EQ(points_of(tiny({0x2a})), "0");
  EXPECT_EQ(points_of(tiny({0x00, 0x00, 0x2a})), "0");
}

TEST(CoveragePoints, AnOutcomeIsToldByTheRunThatOnlyItLeadsTo) {
  // Taken leads to 8, where the code behind the `if` comes too.
  EXPECT_EQ(points_of(kIf), "0 1:0=4 1:1=1 3 8 13");
  expect_counted(kIf, {0, 0});
  expect_counted(kIf, {1, 0});
}

TEST(CoveragePoints, BehindWhatMayThrowWithTheStackEmpty) {
  // call M; call V; pop; nop; ret: not before pop, where a value is on the stack
  const Bytes code = tiny({0x28, 2, 0, 0, 6, 0x28, 1, 0, 0, 6, 0x26, 0x00, 0x2a});
  EXPECT_EQ(points_of(code), "0 5 11");
  expect_counted(code, {0, 0}, facts_of(), 5);
  expect_counted(code, {0, 0}, facts_of(), 11);
}

TEST(CoveragePoints, OnlyAtBranchesWhereACallIsNotKnown) {
  MethodFacts facts = facts_of();
  facts.call_effect = nullptr;
  EXPECT_EQ(points_of(kIf, facts), "0 1:0=3 1:1=1 3 8");
}

TEST(CoveragePoints, FieldsOfThisCannotThrow) {
  // this.f = a1; this.f = this.f; ret
  const Bytes code = tiny({0x02, 0x03, 0x7d, 1, 0, 0, 4, 0x02, 0x02, 0x7b, 1, 0, 0, 4, 0x7d, 1, 0, 0, 4, 0x2a});
  EXPECT_EQ(points_of(code, facts_of(false, true)), "0");
  EXPECT_EQ(points_of(code, facts_of(false, false)), "0 7 19");
  // ldnull; starg.s 0 before it: no longer this
  Bytes with_store = fat({0x14, 0x10, 0x00, 0x02, 0x7b, 1, 0, 0, 4, 0x26, 0x2a});
  EXPECT_EQ(points_of(with_store, facts_of(false, true)), "0 10");
}

TEST(CoveragePoints, AnObjectThatMayBeAnotherMayBeNone) {
  // (a1 ? this : a1).f = 1: ldarg.1; brtrue.s → 6; ldarg.1; br.s → 7; ldarg.0; ldc 1; stfld f; ret
  const Bytes code = tiny({0x03, 0x2d, 0x03, 0x03, 0x2b, 0x01, 0x02, 0x17, 0x7d, 1, 0, 0, 4, 0x2a});
  EXPECT_EQ(points_of(code, facts_of(false, true)), "0 1:0=2 1:1=1 3 6 7 13");
}

TEST(CoveragePoints, WhatCannotBeNullCannotThrow) {
  // *a0 = *a1; ret: ldarg.0; ldarg.1; ldind.i4; stind.i4; ret
  const Bytes copied = tiny({0x02, 0x03, 0x4a, 0x54, 0x2a});
  EXPECT_EQ(points_of(copied), "0 4") << "pointers";
  MethodFacts facts = facts_of();
  facts.by_reference = {true, true};
  EXPECT_EQ(points_of(copied, facts), "0") << "by reference";
  facts.by_reference = {true};
  EXPECT_EQ(points_of(copied, facts), "0 4") << "one of them";
  // starg.s 1 before it: may be any reference then
  facts.by_reference = {true, true};
  EXPECT_EQ(points_of(fat({0x02, 0x10, 0x01, 0x02, 0x03, 0x4a, 0x54, 0x2a}), facts), "0 7");
  // ldloca.s 0; dup; ldc 1; stfld f; ldfld f; pop; ret: a local's fields
  EXPECT_EQ(points_of(fat({0x12, 0x00, 0x25, 0x17, 0x7d, 1, 0, 0, 4, 0x7b, 1, 0, 0, 4, 0x26, 0x2a})), "0");
}

TEST(CoveragePoints, ADivisionByAConstantThrowsWhereItIsNoneOrMinusOne) {
  // ldarg.0; CONSTANT; OPCODE; pop; ret
  const auto divided = [](uint8_t constant, uint8_t opcode) {
    return points_of(tiny({0x02, constant, opcode, 0x26, 0x2a}));
  };
  constexpr uint8_t kZero = 0x16, kMinusOne = 0x15, kThree = 0x19, kDiv = 0x5b, kDivUn = 0x5c, kRem = 0x5d,
                    kRemUn = 0x5e;
  for (const uint8_t opcode : {kDiv, kDivUn, kRem, kRemUn}) {
    EXPECT_EQ(divided(kThree, opcode), "0");
    EXPECT_EQ(divided(kZero, opcode), "0 4");
    EXPECT_EQ(divided(0x03, opcode), "0 4") << "argument 1";
  }
  for (const uint8_t opcode : {kDiv, kRem}) EXPECT_EQ(divided(kMinusOne, opcode), "0 4");
  for (const uint8_t opcode : {kDivUn, kRemUn}) EXPECT_EQ(divided(kMinusOne, opcode), "0");
}

TEST(CoverageSums, OfConditionsAndOfWhereWaysMeet) {
  // kIf: 0 and 8 are sums; 8 not where the call before it may throw.
  EXPECT_EQ(sums_of(kIf), "0=1+4");
  // return a0 ? 1 : 0: as often as either way, and so is what comes then.
  EXPECT_EQ(sums_of(tiny({0x02, 0x2d, 0x03, 0x16, 0x2b, 0x01, 0x17, 0x2a}), facts_of(true)), "0=1+2 3=1+2");
  // while (a0 != 0) a0 = a0 - 1: the condition, not the code before it, which is a term.
  EXPECT_EQ(sums_of(fat({0x2b, 0x05, 0x02, 0x17, 0x59, 0x10, 0x00, 0x02, 0x2d, 0xf8, 0x2a})), "2=1+3");
  // if (a0 && a1) M(): conditions in a row.
  EXPECT_EQ(sums_of(tiny({0x02, 0x2c, 0x08, 0x03, 0x2c, 0x05, 0x28, 2, 0, 0, 6, 0x2a})), "0=2+5+4 1=2+5");
  // switch with cases that go to the same place: each place once.
  EXPECT_EQ(sums_of(tiny({0x02, 0x45, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0x2a, 0x2a})), "0=1+2");
}

TEST(CoverageSums, OfNothingThatAnExceptionMayChange) {
  // 0: call M; 5: ldarg.0; brtrue.s → 0; ret: the condition is one, the call is counted, and so is what leads there.
  EXPECT_EQ(sums_of(tiny({0x28, 2, 0, 0, 6, 0x02, 0x2d, 0xf8, 0x2a})), "1=2+3");
  // if (V()) …: call V; brtrue.s → 8; nop; 8: ret: the call may throw, but what the ways lead to is known.
  EXPECT_EQ(sums_of(tiny({0x28, 1, 0, 0, 6, 0x2d, 0x01, 0x00, 0x2a})), "2=3+1");
  // What comes behind try blocks, and handlers: 0 nop; 1 leave.s; 3 pop; 4 leave.s → 6; 6 ret
  EXPECT_EQ(sums_of(with_clauses({0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a}, {{0, 0, 3, 3, 3, 0x01000001}})), "");
}

TEST(CoverageSums, OfNothingInACircle) {
  // 0: br.s → 0, and two that lead to each other: nop; 1: br.s → 3; 3: br.s → 1
  EXPECT_EQ(sums_of(tiny({0x2b, 0xfe})), "");
  EXPECT_EQ(sums_of(tiny({0x00, 0x2b, 0x00, 0x2b, 0xfc})), "1=0+2");
  // Nothing reaches these conditions: ret; 1: ldarg.0; brtrue.s → 1; br.s → 1
  EXPECT_EQ(sums_of(tiny({0x2a, 0x02, 0x2d, 0xfd, 0x2b, 0xfb})), "1=2+3");
}

TEST(CoveragePoints, OfLoops) {
  // while (a0 != 0) a0 = a0 - 1: br.s → 7; 2: ldarg.0; ldc 1; sub; starg.s 0; 7: ldarg.0; brtrue.s → 2; ret
  const Bytes code = fat({0x2b, 0x05, 0x02, 0x17, 0x59, 0x10, 0x00, 0x02, 0x2d, 0xf8, 0x2a});
  EXPECT_EQ(points_of(code), "0 2 7 8:0=1 8:1=3 10");
  expect_counted(code, {0, 0});
  expect_counted(code, {3, 0});
  // A loop to the first instruction: entered once, run each time. ldarg.0; ldc 1; sub; starg.s 0; ldarg.0; brtrue → 0
  const Bytes to_first = fat({0x02, 0x17, 0x59, 0x10, 0x00, 0x02, 0x2d, 0xf8, 0x2a});
  EXPECT_EQ(points_of(to_first), "0 6:0=2 6:1=1 8");
  expect_counted(to_first, {3, 0});
  // 0: br.s → 0
  EXPECT_EQ(points_of(tiny({0x2b, 0xfe})), "0");
  with_probes(tiny({0x2b, 0xfe}), counts(), facts_of());
}

TEST(CoveragePoints, OfShortCircuits) {
  // if (a0 && a1) M(); ret: both branches go where the code behind comes too.
  const Bytes code = tiny({0x02, 0x2c, 0x08, 0x03, 0x2c, 0x05, 0x28, 2, 0, 0, 6, 0x2a});
  EXPECT_EQ(points_of(code), "0 1:0=4 1:1=1 3 4:0=5 4:1=2 6 11");
  for (const int64_t first : {0, 1})
    for (const int64_t second : {0, 1}) expect_counted(code, {first, second});
}

TEST(CoveragePoints, OfValuesOnTheStackAcrossBranches) {
  // return a0 ? 1 : 0: ldarg.0; brtrue.s → 6; ldc 0; br.s → 7; ldc 1; ret
  const Bytes code = tiny({0x02, 0x2d, 0x03, 0x16, 0x2b, 0x01, 0x17, 0x2a});
  EXPECT_EQ(points_of(code, facts_of(true)), "0 1:0=2 1:1=1 3 6 7");
  expect_counted(code, {0, 0}, facts_of(true));
  expect_counted(code, {1, 0}, facts_of(true));
  // ldc 1; ldarg.0; brtrue.s → 6; pop; ldc 0; ret: one value stays on it on both ways of the branch
  const Bytes kept = tiny({0x17, 0x02, 0x2d, 0x02, 0x26, 0x16, 0x2a});
  EXPECT_EQ(points_of(kept, facts_of(true)), "0 2:0=3 2:1=1 4 6");
  expect_counted(kept, {0, 0}, facts_of(true));
  expect_counted(kept, {1, 0}, facts_of(true));
}

TEST(CoveragePoints, ABranchToWhatFollowsHasTwoOutcomes) {
  const Bytes code = tiny({0x02, 0x2d, 0x00, 0x2a});
  EXPECT_EQ(points_of(code), "0 1:0=2 1:1=3 3");
  Body body = with_probes(code, hits(), facts_of());
  EXPECT_EQ(Machine(body, {1, 0}, UINT32_MAX - 1).run().counted,
            (std::map<uint32_t, uint64_t>{{0, 1}, {1, 1}, {2, 1}}));
}

TEST(CoveragePoints, OfSwitches) {
  // switch (a0) { 23, 24, 23 } ; fall through: call M; 22?: …
  // 0 ldarg.0; 1 switch(3): → 23, 24, 23; 18 call M; 23 nop; 24 ret
  const Bytes code = tiny({0x02, 0x45, 3, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 5, 0, 0, 0, 0x28, 2, 0, 0, 6, 0x00, 0x2a});
  EXPECT_EQ(points_of(code), "0 1:0=4 1:1=5 1:2=4 1:3=1 18 23 24");
  for (const int64_t value : {0, 1, 2, 3}) expect_counted(code, {value, 0});
  // Each arm only reached by one case: no probe of their own. ldarg.0; switch(2) → 16, 15; 14: ret; 15: ret; 16: ret
  const Bytes arms = tiny({0x02, 0x45, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0x2a, 0x2a, 0x2a});
  EXPECT_EQ(points_of(arms), "0 1:0=3 1:1=2 1:2=1 14 15 16");
  for (const int64_t value : {0, 1, 2}) expect_counted(arms, {value, 0});
  // A case that goes where it would have fallen: ldarg.0; switch(1) → 10; 10: ret
  EXPECT_EQ(points_of(tiny({0x02, 0x45, 1, 0, 0, 0, 0, 0, 0, 0, 0x2a})), "0 1:0=2 1:1=3 10");
  // A switch without a case.
  EXPECT_EQ(points_of(tiny({0x02, 0x45, 0, 0, 0, 0, 0x2a})), "0 1:0=1 6");
}

TEST(CoveragePoints, OfProtectedRegions) {
  // try { nop; leave.s → 7 } catch { pop; leave.s → 7 } 7: … : 0 nop; 1 leave.s; 3 pop; 4 leave.s → 6; 6 ret
  const Bytes caught = with_clauses({0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a}, {{0, 0, 3, 3, 3, 0x01000001}});
  EXPECT_EQ(points_of(caught), "0 3 6");
  Body body = with_probes(caught, hits(), facts_of());
  EXPECT_EQ(clause_listing(body), "catch 0-10 10-20") << listing(body);
  Body counting = with_probes(caught, counts(), facts_of());
  EXPECT_EQ(clause_listing(counting), "catch 4-17 17-30") << "what asks stands before the try block\n"
                                                          << listing(counting);
  // try { leave } finally { endfinally }, and a fault.
  for (const uint32_t kind : {2u, 4u}) {
    const Bytes handled = with_clauses({0xde, 0x01, 0xdc, 0x2a}, {{kind, 0, 2, 2, 1}});
    EXPECT_EQ(points_of(handled), "0 2 3");
    with_probes(handled, hits(), facts_of());
    with_probes(handled, counts(), facts_of());
  }
  // try { leave.s → 8 } filter { pop; ldc 1; endfilter } { pop; leave.s → 9 } ret
  const Bytes filtered =
      with_clauses({0xde, 0x07, 0x26, 0x17, 0xfe, 0x11, 0x26, 0xde, 0x00, 0x2a}, {{1, 0, 2, 6, 3, 2}});
  EXPECT_EQ(points_of(filtered), "0 2 6 9");
  with_probes(filtered, hits(), facts_of());
  with_probes(filtered, counts(), facts_of());
  // A try block in the middle is a run's begin, and is branched to from before it:
  // ldarg.0; brtrue.s → 4; nop; try 4: { leave.s → 7 } finally { endfinally } ret
  const Bytes entered = with_clauses({0x02, 0x2d, 0x01, 0x00, 0xde, 0x01, 0xdc, 0x2a}, {{2, 4, 2, 6, 1}});
  EXPECT_EQ(points_of(entered), "0 1:0=5 1:1=1 3 4 6 7");
  with_probes(entered, hits(), facts_of());
  with_probes(entered, counts(), facts_of());
}

TEST(CoveragePoints, WhatIsToldAlreadyNeedsNoProbe) {
  // ldarg.0; switch → 12, 12; ret; 12: ret: of its counters, all but 1 are told.
  const Bytes switched = tiny({0x02, 0x45, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0x2a, 0x2a});
  CoverageProbes probes = hits();
  probes.needs = [](uint32_t counter) { return counter == 1; };
  Body body = with_probes(switched, probes, facts_of());
  EXPECT_EQ(Machine(body, {2, 0}, UINT32_MAX - 1).run().counted, (std::map<uint32_t, uint64_t>{{1, 1}}))
      << listing(body);
  EXPECT_TRUE(Machine(body, {1, 0}, UINT32_MAX - 1).run().counted.empty());
  // ldarg.0; brtrue.s → 3; ret: an outcome that no run tells, told.
  probes.needs = [](uint32_t) { return false; };
  Body plain = with_probes(tiny({0x02, 0x2d, 0x00, 0x2a}), probes, facts_of());
  EXPECT_EQ(listing(plain), "ldarg.0; brtrue >2; ret");
}

TEST(CoveragePoints, TailCallsAndJumpsStay) {
  // ldarg.0; brtrue.s → 10; tail. call M; ret
  const Bytes tail = tiny({0x02, 0x2d, 0x07, 0xfe, 0x14, 0x28, 2, 0, 0, 6, 0x2a});
  EXPECT_EQ(points_of(tail), "0 1:0=2 1:1=1 3 10");
  for (const CoverageProbes& probes : {hits(), counts()}) {
    Body body = with_probes(tail, probes, facts_of());
    EXPECT_NE(listing(body).find("tail.; call 6000002; ret"), std::string::npos) << listing(body);
  }
  // Who branches to the tail call's ret goes to one of ours.
  Body body = with_probes(tail, hits(), facts_of());
  EXPECT_EQ(Machine(body, {1, 0}, UINT32_MAX - 1).run().counted, (std::map<uint32_t, uint64_t>{{0, 1}, {2, 1}}));
  // tail. call M; ret alone: its ret is no run.
  EXPECT_EQ(points_of(tiny({0xfe, 0x14, 0x28, 2, 0, 0, 6, 0x2a})), "0");
  EXPECT_EQ(points_of(tiny({0x27, 2, 0, 0, 6})), "0");
  with_probes(tiny({0x27, 2, 0, 0, 6}), counts(), facts_of());
}

TEST(CoveragePoints, PrefixesStayWithWhatTheyApplyTo) {
  // call M; volatile. ldsfld f; pop; ret
  const Bytes code = tiny({0x28, 2, 0, 0, 6, 0xfe, 0x13, 0x7e, 1, 0, 0, 4, 0x26, 0x2a});
  EXPECT_EQ(points_of(code), "0 5 13");
  Body body = with_probes(code, hits(), facts_of());
  EXPECT_NE(listing(body).find("volatile.; ldsfld"), std::string::npos) << listing(body);
}

TEST(CoveragePoints, CodeThatNothingReachesIsApart) {
  // br.s → 3; 2: nop; 3: ret
  EXPECT_EQ(points_of(tiny({0x2b, 0x01, 0x00, 0x2a})), "0 2 3");
  // ret; nop; ret
  EXPECT_EQ(points_of(tiny({0x2a, 0x00, 0x2a})), "0 1");
}

TEST(CoveragePoints, OfABodyThatIsNone) {
  Body body;
  EXPECT_TRUE(coverage_points(body, {}).empty());
  insert_coverage_probes(body, {}, hits());
  EXPECT_TRUE(body.first()->is_end());
}

TEST(CoveragePoints, OfHugeMethods) {
  // 40,000 times: ldarg.0; brtrue → end; call M
  constexpr size_t kTimes = 40'000;
  Bytes code;
  for (size_t i = 0; i < kTimes; ++i) {
    const auto distance = static_cast<uint32_t>((kTimes - i) * 11 - 6);
    code.insert(code.end(), {0x02, 0x3a, static_cast<uint8_t>(distance), static_cast<uint8_t>(distance >> 8),
                             static_cast<uint8_t>(distance >> 16), 0, 0x28, 2, 0, 0, 6});
  }
  code.push_back(0x2a);
  for (const CoverageProbes& probes : {hits(), counts()}) {
    std::vector<CoveragePoint> points;
    with_probes(fat(code), probes, facts_of(), &points);
    EXPECT_EQ(points.size(), kTimes * 4 + 1);
    EXPECT_EQ(counters_of(points), kTimes * 3 + 1) << "each taken branch has its own";
  }
  Body body = body_of(fat(code));
  EXPECT_EQ(coverage_sums(body, facts_of(), coverage_points(body, facts_of())).size(), kTimes);
}

}  // namespace
}  // namespace oriel::il::test
