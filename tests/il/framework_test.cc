// Every method body of the shared framework and of the compilers goes through decode and encode unharmed.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>

#include "assembly_file.h"
#include "equivalence.h"
#include "framework.h"
#include "il/decode.h"
#include "il/encode.h"
#include "il/encoded_size.h"
#include "il/probes/coverage_points.h"
#include "il/probes/coverage_probes.h"
#include "il/probes/coverage_sums.h"
#include "il/probes/probes.h"
#include "il/stack.h"
#include "il/transform.h"
#include "il/verify.h"

namespace oriel::il::test {
namespace {

struct Totals {
  size_t bodies = 0, same_bytes = 0, exact = 0, clauses = 0, instructions = 0;
};

void check_body(const AssemblyFile& assembly, const AssemblyFile::Method& method, Totals& totals) {
  Result<Body> body = decode(method.bytes);
  ASSERT_TRUE(body) << body.message();
  EXPECT_EQ(encoded_size(method.bytes), body->encoded_bytes);
  EXPECT_EQ(has_clauses(method.bytes), !body->clauses.empty());
  const MethodFacts facts = assembly.facts(method, body->locals_token);

  const Status verified = verify(*body, facts);
  EXPECT_TRUE(verified) << verified.message();
  const StackDepths depths = compute_stack(*body, facts);
  EXPECT_TRUE(depths.problem);
  if (depths.exact) {
    EXPECT_LE(depths.max, body->max_stack);
  }

  const Result<Encoded> encoded = encode(*body, facts);
  ASSERT_TRUE(encoded) << encoded.message();
  Result<Body> again = decode(encoded->bytes);
  ASSERT_TRUE(again) << again.message();
  EXPECT_EQ(difference(*body, *again), "");
  EXPECT_EQ(again->max_stack, body->max_stack);

  ++totals.bodies;
  totals.exact += depths.exact;
  totals.instructions += body->number().size();
  totals.clauses += body->clauses.size();
  totals.same_bytes += encoded->bytes.size() == body->encoded_bytes &&
                       std::equal(encoded->bytes.begin(), encoded->bytes.end(), method.bytes.begin());
}

// All bodies take minutes, and under a sanitizer most of an hour: there, one in eight is visited.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kEvery = 8;
#else
constexpr size_t kEvery = 1;
#endif

// Calls `visit` with the bodies of all framework assemblies, until one fails.
void for_each_body(const std::function<void(const AssemblyFile&, const AssemblyFile::Method&)>& visit) {
  const std::vector<std::string> files = framework_assemblies();
  if (files.empty()) GTEST_SKIP() << "no dotnet here: install the .NET SDK to run this test";
  size_t bodies = 0;
  for (const std::string& file : files) {
    const std::optional<AssemblyFile> assembly = AssemblyFile::open(file);
    if (!assembly) continue;
    for (const AssemblyFile::Method& method : assembly->methods()) {
      if (bodies++ % kEvery != 0) continue;
      SCOPED_TRACE(file + " method " + std::to_string(method.token & 0xffffff));
      visit(*assembly, method);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(bodies, 100'000u);
}

bool has_jmp(const Body& body) {
  for (const Instruction* at = body.first(); !at->is_end(); at = at->next())
    if (at->opcode() == Opcode::Jmp) return true;
  return false;
}

// As probes will: calls at entry and before each return, in a handler, and where branches arrive.
void instrument_everywhere(Body& body, const MethodFacts& facts) {
  for (Instruction* at : std::vector<Instruction*>(body.number())) {
    if (body.unit_begin(at) != at || !body.is_branched_to(at)) continue;
    body.insert_before(at, body.make_call(Opcode::Call, 0x0a000001, {0, 0}), Branches::kMove, Regions::kOfNext);
  }
  std::optional<uint16_t> local;
  if (*facts.returns_value) local = static_cast<uint16_t>(*facts.local_count);
  const Result<Wrapped> wrapped = wrap_in_try(body, ClauseKind::kFault, 0, local);
  ASSERT_TRUE(wrapped) << wrapped.message();
  body.insert_before(wrapped->handler_exit, body.make_call(Opcode::Call, 0x0a000002, {0, 0}), Branches::kMove,
                     Regions::kOfNext);
  body.insert_before(body.first(), body.make_call(Opcode::Call, 0x0a000003, {0, 0}), Branches::kStay,
                     Regions::kOfPrevious);
  if (!wrapped->returns.exit) return;
  body.insert_before(wrapped->returns.exit, body.make_call(Opcode::Call, 0x0a000004, {0, 0}), Branches::kMove,
                     Regions::kOfNext);
}

TEST(Framework, EveryBodyIsWellFormedWithCodeInsertedEverywhere) {
  for_each_body([](const AssemblyFile& assembly, const AssemblyFile::Method& method) {
    Result<Body> body = decode(method.bytes);
    ASSERT_TRUE(body) << body.message();
    if (has_jmp(*body)) return;
    MethodFacts facts = assembly.facts(method, body->locals_token);
    instrument_everywhere(*body, facts);
    if (*facts.returns_value) ++*facts.local_count;
    const Status verified = verify(*body, facts);
    ASSERT_TRUE(verified) << verified.message();
    const Result<Encoded> encoded = encode(*body, facts);
    ASSERT_TRUE(encoded) << encoded.message();
    Result<Body> again = decode(encoded->bytes);
    ASSERT_TRUE(again) << again.message();
    ASSERT_EQ(difference(*body, *again), "");
  });
}

constexpr uint32_t kCallSignature = 0x11fffff1, kAllocationSignature = 0x11fffff2;

// Facts of a body that has calls of ours as well.
MethodFacts with_probe_calls(MethodFacts facts) {
  const auto others = facts.call_effect;
  facts.call_effect = [others](Opcode opcode, uint32_t token) -> std::optional<StackEffect> {
    if (token == kCallSignature) return StackEffect{4, 0};
    if (token == kAllocationSignature) return StackEffect{3, 0};
    return others(opcode, token);
  };
  return facts;
}

// As many probes as a method can have, allocations reported where one may be.
void insert_all_probes(Body& body, MethodFacts& facts) {
  AllocationProbe allocation;
  allocation.cell = 0x7f0000001000;
  allocation.function = allocation.method = 0x7f0000002000;
  allocation.call_signature = kAllocationSignature;
  for (Instruction* at : std::vector<Instruction*>(body.number())) {
    const Opcode opcode = at->opcode();
    if (opcode == Opcode::Newobj || opcode == Opcode::Newarr || opcode == Opcode::Box)
      insert_allocation_probe(body, at, allocation);
  }
  CallProbes probes;
  probes.enter = probes.leave = probes.tail_call = probes.exception_leave = allocation.cell;
  probes.method = allocation.method;
  probes.call_signature = kCallSignature;
  probes.target_local = static_cast<uint16_t>((*facts.local_count)++);
  if (*facts.returns_value) probes.return_local = static_cast<uint16_t>((*facts.local_count)++);
  const auto inserted = insert_call_probes(body, probes);
  ASSERT_TRUE(inserted) << inserted.message();
}

TEST(Framework, EveryBodyWithAllProbesIsWellFormed) {
  for_each_body([](const AssemblyFile& assembly, const AssemblyFile::Method& method) {
    Result<Body> body = decode(method.bytes);
    ASSERT_TRUE(body) << body.message();
    MethodFacts facts = with_probe_calls(assembly.facts(method, body->locals_token));
    insert_all_probes(*body, facts);
    if (HasFatalFailure()) return;
    const Status verified = verify(*body, facts);
    ASSERT_TRUE(verified) << verified.message();
    const Result<Encoded> encoded = encode(*body, facts);
    ASSERT_TRUE(encoded) << encoded.message();
    Result<Body> again = decode(encoded->bytes);
    ASSERT_TRUE(again) << again.message();
    ASSERT_EQ(difference(*body, *again), "");
  });
}

TEST(Framework, EveryBodyWithCoverageIsWellFormed) {
  for_each_body([](const AssemblyFile& assembly, const AssemblyFile::Method& method) {
    Result<Body> body = decode(method.bytes);
    ASSERT_TRUE(body) << body.message();
    MethodFacts facts = assembly.facts(method, body->locals_token);
    const std::vector<CoveragePoint> points = coverage_points(*body, facts);
    ASSERT_FALSE(points.empty());
    for (const CounterSum& sum : coverage_sums(*body, facts, points)) {
      ASSERT_LT(sum.counter, counters_of(points));
      ASSERT_FALSE(sum.of.empty());
    }
    insert_coverage_probes(*body, points, {.hits = 0x7f0000001000});
    const Status verified = verify(*body, facts);
    ASSERT_TRUE(verified) << verified.message();
    const Result<Encoded> encoded = encode(*body, facts);
    ASSERT_TRUE(encoded) << encoded.message();
  });
}

TEST(Framework, EveryBodySurvivesTheRoundTrip) {
  Totals totals;
  for_each_body([&totals](const AssemblyFile& assembly, const AssemblyFile::Method& method) {
    check_body(assembly, method, totals);
  });
  std::cout << totals.bodies << " bodies, " << totals.instructions << " instructions, " << totals.clauses
            << " clauses; " << totals.same_bytes << " encoded to the same bytes, " << totals.exact
            << " with max stack known exactly\n";
  EXPECT_EQ(totals.exact, totals.bodies);
}

}  // namespace
}  // namespace oriel::il::test
