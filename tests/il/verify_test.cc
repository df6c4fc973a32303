// What our own check refuses, and the text it says.
#include <gtest/gtest.h>

#include "il/operands.h"
#include "il/verify.h"
#include "listing.h"

namespace oriel::il::test {
namespace {

std::string fault_of(const Bytes& bytes, const MethodFacts& facts = {}) {
  Body body = body_of(bytes);
  const Status status = verify(body, facts);
  return status ? "" : status.message();
}

void expect_fault(const std::string& message, const char* place, const char* what) {
  EXPECT_TRUE(message.starts_with(place)) << message;
  EXPECT_NE(message.find(what), std::string::npos) << message;
}

TEST(Verify, FindsWaysAcrossRegions) {
  const std::vector<ClauseBytes> catch_clause = {{0, 0, 3, 3, 3, 0x01000001}};
  EXPECT_EQ(fault_of(with_clauses({0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a}, catch_clause)), "");
  // br out of a try, running out of it, into a handler, ret within.
  expect_fault(fault_of(with_clauses({0x00, 0x2b, 0x03, 0x26, 0xde, 0x00, 0x2a}, catch_clause)), "IL_0001", "crosses");
  expect_fault(fault_of(with_clauses({0x00, 0x00, 0x00, 0x26, 0xde, 0x00, 0x2a}, catch_clause)), "IL_0002",
               "runs across");
  expect_fault(fault_of(with_clauses({0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2b, 0xfb}, catch_clause)), "IL_0006",
               "crosses");
  expect_fault(fault_of(with_clauses({0x00, 0x00, 0x2a, 0x26, 0xde, 0x00, 0x2a}, catch_clause)), "IL_0002",
               "ret within");
  // leave out of a finally; into the try from its catch is fine.
  expect_fault(fault_of(with_clauses({0xde, 0x02, 0xde, 0x00, 0x2a}, {{2, 0, 2, 2, 2}})), "IL_0002", "crosses");
  EXPECT_EQ(fault_of(with_clauses({0x00, 0xde, 0x03, 0x26, 0xde, 0xfb, 0x2a}, catch_clause)), "");
}

TEST(Verify, FindsBadNesting) {
  const Bytes code = {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x2a};
  expect_fault(fault_of(with_clauses(code, {{0, 0, 3, 5, 1}, {0, 2, 2, 6, 1}})), "IL_0002", "overlap");
  expect_fault(fault_of(with_clauses(code, {{0, 0, 4, 5, 1}, {0, 1, 1, 6, 1}})), "IL_0001", "outer exception clause");
  expect_fault(fault_of(with_clauses(code, {{0, 0, 4, 1, 1}})), "IL_0001", "within its own try");
  expect_fault(fault_of(with_clauses(code, {{0, 1, 0, 4, 1}})), "IL_0001", "without code");
}

TEST(Verify, FindsMisplacedInstructions) {
  expect_fault(fault_of(tiny({0x00})), "IL_0000", "runs off the end");
  expect_fault(fault_of(tiny({0xdc})), "IL_0000", "endfinally");
  expect_fault(fault_of(tiny({0xfe, 0x1a})), "IL_0000", "rethrow");
  expect_fault(fault_of(tiny({0x14, 0xfe, 0x11})), "IL_0001", "endfilter");
  expect_fault(fault_of(tiny({0xfe, 0x14, 0x28, 0, 0, 0, 6, 0x00, 0x2a})), "IL_0000", "without ret");
  expect_fault(fault_of(tiny({0xfe, 0x13, 0x2a})), "IL_0000", "volatile. before ret");
}

TEST(Verify, FindsIndexesOutOfRange) {
  MethodFacts facts;
  facts.local_count = 2;
  facts.argument_count = 1;
  EXPECT_EQ(fault_of(tiny({0x02, 0x0b, 0x2a}), facts), "");
  expect_fault(fault_of(tiny({0x03, 0x26, 0x2a}), facts), "IL_0000", "1 of 1 arguments");
  expect_fault(fault_of(tiny({0x02, 0x0c, 0x2a}), facts), "IL_0001", "2 of 2 local");
  expect_fault(fault_of(tiny({0xfe, 0x0d, 2, 0, 0x26, 0x2a}), facts), "IL_0000", "2 of 2 local");
}

TEST(Verify, FindsStackFaults) {
  MethodFacts facts;
  facts.returns_value = true;
  EXPECT_EQ(fault_of(tiny({0x14, 0x2a}), facts), "");
  expect_fault(fault_of(tiny({0x2a}), facts), "IL_0000", "ret takes more");
  expect_fault(fault_of(tiny({0x14, 0x14, 0x2a}), facts), "IL_0002", "more values");
  expect_fault(fault_of(with_clauses({0x14, 0x00, 0xde, 0x01, 0xdc, 0x2a}, {{2, 1, 3, 4, 1}})), "IL_0001",
               "entered with");
}

TEST(Verify, NamesThePlaceOfInsertedCode) {
  Body body = body_of(tiny({0x00, 0x2a}));
  body.insert_before(body.last(), body.make_branch(Opcode::Br, nullptr), Branches::kStay, Regions::kOfNext);
  expect_fault(verify(body).message(), "inserted before IL_0001", "br goes to no instruction");
}

TEST(Verify, RefusesABranchToWhatWasRemoved) {
  Body body = body_of(tiny({0x00, 0x00, 0x2a}));
  Instruction* removed = body.first();
  body.remove(removed);
  body.insert_before(body.last(), body.make_branch(Opcode::Br, removed), Branches::kStay, Regions::kOfNext);
  EXPECT_FALSE(verify(body));
}

TEST(Operands, ShortestEncodings) {
  Body body;
  const auto append = [&](Instruction* made) {
    body.insert_before(body.end(), made, Branches::kStay, Regions::kOfNext);
  };
  for (int index : {0, 3, 4, 255, 256}) append(load_local(body, static_cast<uint16_t>(index)));
  append(store_local(body, 2));
  append(store_argument(body, 1));
  append(load_argument(body, 3));
  append(load_argument_address(body, 300));
  append(load_local_address(body, 0));
  for (int32_t value : {-1, 8, 9, -128, 128}) append(load_int32(body, value));
  EXPECT_EQ(listing(body),
            "ldloc.0; ldloc.3; ldloc.s 4; ldloc.s ff; ldloc 100; stloc.2; starg.s 1; ldarg.3; ldarga 12c; ldloca.s 0; "
            "ldc.i4.m1; ldc.i4.8; ldc.i4.s 9; ldc.i4.s ffffffffffffff80; ldc.i4 80");
}

}  // namespace
}  // namespace oriel::il::test
