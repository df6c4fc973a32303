// Each edit, seen from branches, clause boundaries, prefixes and views.
#include <gtest/gtest.h>

#include "il/encode.h"
#include "il/verify.h"
#include "listing.h"

namespace oriel::il::test {
namespace {

// ldarg.0; brtrue.s → ret; nop; ret
const Bytes kBranch = tiny({0x02, 0x2d, 0x01, 0x00, 0x2a});

// try { nop; leave.s → ret } catch { pop; leave.s → ret } ret
const Bytes kTryCatch = with_clauses({0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a}, {{0, 0, 3, 3, 3, 0x01000001}});

TEST(Edits, InsertBeforeCanTakeBranchesOver) {
  Body stay = body_of(kBranch);
  stay.insert_before(stay.last(), stay.make(Opcode::Break), Branches::kStay, Regions::kOfNext);
  EXPECT_EQ(listing(stay), "ldarg.0; brtrue >4; nop; break; ret");

  Body move = body_of(kBranch);
  move.insert_before(move.last(), move.make(Opcode::Break), Branches::kMove, Regions::kOfNext);
  EXPECT_EQ(listing(move), "ldarg.0; brtrue >3; nop; break; ret");
  Body again = through(move);
  EXPECT_EQ(listing(again), "ldarg.0; brtrue >3; nop; break; ret");
}

TEST(Edits, LaterBranchesAreMovedToo) {
  Body body = body_of(kBranch);
  Instruction* ret = body.last();
  body.insert_before(ret, body.make(Opcode::Break), Branches::kMove, Regions::kOfNext);
  body.insert_before(body.first(), body.make_branch(Opcode::Br, ret), Branches::kStay, Regions::kOfPrevious);
  body.insert_before(ret, body.make(Opcode::Nop), Branches::kMove, Regions::kOfNext);
  EXPECT_EQ(listing(body), "br >5; ldarg.0; brtrue >4; nop; break; nop; ret");
}

TEST(Edits, InsertBeforeChoosesTheRegionsAtABoundary) {
  Body inside = body_of(kTryCatch);
  inside.insert_before(inside.first(), inside.make(Opcode::Break), Branches::kStay, Regions::kOfNext);
  EXPECT_EQ(clause_listing(inside), "catch 0-3 3-5");
  Body outside = body_of(kTryCatch);
  outside.insert_before(outside.first(), outside.make(Opcode::Break), Branches::kStay, Regions::kOfPrevious);
  EXPECT_EQ(clause_listing(outside), "catch 1-3 3-5");

  // Between try and handler: the end of one and the begin of the other move together.
  Body in_handler = body_of(kTryCatch);
  in_handler.insert_before(in_handler.clauses[0].handler_begin, in_handler.make(Opcode::Break), Branches::kStay,
                           Regions::kOfNext);
  EXPECT_EQ(clause_listing(in_handler), "catch 0-2 2-5");
  Body in_try = body_of(kTryCatch);
  in_try.insert_before(in_try.clauses[0].handler_begin, in_try.make(Opcode::Break), Branches::kStay,
                       Regions::kOfPrevious);
  EXPECT_EQ(clause_listing(in_try), "catch 0-3 3-5");
}

TEST(Edits, InsertBeforeCanStayOutOfBothRegionsThatMeet) {
  Body between = body_of(kTryCatch);
  between.insert_before(between.clauses[0].handler_begin, between.make(Opcode::Break), Branches::kStay,
                        Regions::kOfBoth);
  EXPECT_EQ(clause_listing(between), "catch 0-2 3-5");
  Body behind = body_of(kTryCatch);
  behind.insert_before(behind.last(), behind.make(Opcode::Break), Branches::kStay, Regions::kOfBoth);
  EXPECT_EQ(clause_listing(behind), "catch 0-2 2-4");
}

TEST(Edits, AppendMayComeBehindAPrefix) {
  Body body;
  body.append(body.make(Opcode::Volatile));
  body.append(body.make(Opcode::Ldsfld, 0x04000001));
  Instruction* twice = body.make(Opcode::Ret);
  body.append(twice);
  EXPECT_EQ(body.last(), twice);
  EXPECT_TRUE(body.edit_error());
  body.append(twice);
  EXPECT_FALSE(body.edit_error());
}

TEST(Edits, OperandsAreSetInPlace) {
  Body body = body_of(tiny({0x1f, 0x05, 0x2a}));  // ldc.i4.s 5; ret
  body.set_operand(body.first(), -7);
  EXPECT_EQ(listing(body), "ldc.i4.s fffffffffffffff9; ret");
  Body again = through(body);
  EXPECT_EQ(listing(again), "ldc.i4.s fffffffffffffff9; ret");
  body.set_operand(body.last(), 1);
  EXPECT_FALSE(body.edit_error()) << "ret has none";
}

TEST(Edits, CasesOfASwitchCanBeTakenAway) {
  // ldarg.0; switch (nop, ret, nop); nop; ret
  Body body = body_of(tiny({0x02, 0x45, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x2a}));
  Instruction* choice = body.first()->next();
  body.remove_case(choice, 0);
  ASSERT_EQ(choice->cases().size(), 2u);
  EXPECT_EQ(choice->cases()[0], body.last());
  EXPECT_EQ(choice->cases(View::kOriginal).size(), 3u);
  Body again = through(body);
  EXPECT_EQ(listing(again), listing(body));
  body.remove_case(choice, 2);
  EXPECT_FALSE(body.edit_error());
}

TEST(Edits, InsertAfterStaysInTheRegionAndIsPassedByBranches) {
  Body body = body_of(kTryCatch);
  Instruction* leave = body.clauses[0].handler_end->previous();
  body.insert_after(leave, body.make(Opcode::Nop));
  EXPECT_EQ(listing(body), "nop; leave >5; pop; leave >5; nop; ret");
  EXPECT_EQ(clause_listing(body), "catch 0-2 2-5");
}

TEST(Edits, RemoveHandsBranchesAndBoundariesOn) {
  Body body = body_of(tiny({0x02, 0x2d, 0x01, 0x00, 0x00, 0x2a}));  // brtrue.s → the second nop
  body.remove(body.last()->previous());
  EXPECT_EQ(listing(body), "ldarg.0; brtrue >3; nop; ret");
  Body clauses = body_of(kTryCatch);
  clauses.remove(clauses.first());
  EXPECT_EQ(clause_listing(clauses), "catch 0-1 1-3");
}

TEST(Edits, ReplaceTakesThePlaceOver) {
  Body body = body_of(kTryCatch);
  body.replace(body.last(), body.make(Opcode::Break));
  body.replace(body.first(), body.make(Opcode::Break));
  EXPECT_EQ(listing(body), "break; leave >4; pop; leave >4; break");
  EXPECT_EQ(clause_listing(body), "catch 0-2 2-4");
}

TEST(Edits, RetargetBranchesAndCases) {
  // ldarg.0; switch (→ nop, → ret); nop; ret
  Body body = body_of(fat({0x02, 0x45, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x00, 0x2a}));
  EXPECT_EQ(listing(body), "ldarg.0; switch >2 >3; nop; ret");
  Instruction* the_switch = body.first()->next();
  body.retarget_case(the_switch, 0, body.last());
  EXPECT_EQ(listing(body), "ldarg.0; switch >3 >3; nop; ret");
  body.insert_before(body.last(), body.make(Opcode::Break), Branches::kMove, Regions::kOfNext);
  Body again = through(body);
  EXPECT_EQ(listing(again), "ldarg.0; switch >3 >3; nop; break; ret");
  EXPECT_EQ(the_switch->cases(View::kOriginal)[0], body.at_original_offset(14));
  body.retarget_case(the_switch, 2, body.last());
  EXPECT_FALSE(body.edit_error());
}

TEST(Edits, PrefixesAndTheirInstructionAreOne) {
  // ldarg.0; constrained. T; callvirt M; volatile. unaligned. 1 ldind.i4; pop; ret, with a branch to the first prefix
  const Bytes bytes = fat(
      {0x2b, 0x01, 0x02, 0xfe, 0x16, 1, 0, 0, 0x1b, 0x6f, 1, 0, 0, 0x0a, 0xfe, 0x13, 0xfe, 0x12, 1, 0x4a, 0x26, 0x2a});
  Body body = body_of(bytes);
  ASSERT_EQ(listing(body),
            "br >2; ldarg.0; constrained. 1b000001; callvirt a000001; volatile.; unaligned. 1; ldind.i4; pop; ret");
  Instruction* callvirt = body.at_original_offset(9);
  Instruction* volatile_prefix = body.at_original_offset(14);
  body.insert_before(callvirt, body.make(Opcode::Nop), Branches::kMove, Regions::kOfNext);
  body.insert_after(volatile_prefix, body.make(Opcode::Dup));
  EXPECT_EQ(
      listing(body),
      "br >2; ldarg.0; nop; constrained. 1b000001; callvirt a000001; volatile.; unaligned. 1; ldind.i4; dup; pop; ret");
  body.replace(callvirt, body.make(Opcode::Break));
  EXPECT_EQ(listing(body), "br >2; ldarg.0; nop; break; volatile.; unaligned. 1; ldind.i4; dup; pop; ret");
  body.remove_prefix(volatile_prefix);
  EXPECT_EQ(listing(body), "br >2; ldarg.0; nop; break; unaligned. 1; ldind.i4; dup; pop; ret");
  body.add_prefix(body.at_original_offset(19), body.make(Opcode::Volatile));
  body.remove(body.at_original_offset(19));
  EXPECT_EQ(listing(body), "br >2; ldarg.0; nop; break; dup; pop; ret");
  EXPECT_TRUE(body.edit_error());
}

TEST(Edits, ViewsKeepTheirLinks) {
  Body body = body_of(kBranch);
  Instruction* users = body.make(Opcode::Break);
  body.insert_before(body.last(), users, Branches::kMove, Regions::kOfNext);
  Instruction* nop = users->previous();
  body.set_baseline();
  Instruction* probe = body.make(Opcode::Nop);
  body.insert_before(users, probe, Branches::kMove, Regions::kOfNext);
  body.remove(nop);

  const Instruction* brtrue = body.first()->next();
  EXPECT_EQ(brtrue->target(View::kOriginal), body.last());
  EXPECT_EQ(brtrue->target(View::kBaseline), users);
  EXPECT_EQ(brtrue->target(), probe);
  EXPECT_EQ(nop->next(View::kOriginal), body.last());
  EXPECT_EQ(nop->next(View::kBaseline), users);
  EXPECT_FALSE(nop->is_in(View::kCurrent));
  EXPECT_FALSE(users->is_in(View::kOriginal));
  EXPECT_FALSE(probe->is_in(View::kBaseline));
}

TEST(Edits, NonsenseIsRememberedAndRefused) {
  Body body = body_of(kBranch);
  Instruction* made = body.make(Opcode::Nop);
  body.insert_before(made, body.make(Opcode::Nop), Branches::kStay, Regions::kOfNext);
  EXPECT_EQ(listing(body), "ldarg.0; brtrue >3; nop; ret");
  ASSERT_FALSE(body.edit_error());
  EXPECT_EQ(encode(body).message(), body.edit_error().message());
  EXPECT_EQ(verify(body).message(), body.edit_error().message());
}

TEST(Edits, ABodyFromNothing) {
  Body body;
  body.insert_before(body.end(), body.make(Opcode::Ret), Branches::kStay, Regions::kOfPrevious);
  const Result<Encoded> encoded = encode(body);
  ASSERT_TRUE(encoded) << encoded.message();
  EXPECT_EQ(encoded->bytes, tiny({0x2a}));
  EXPECT_TRUE(encoded->map.empty());
}

TEST(Edits, AddClauseGoesBeforeWhatEnclosesIt) {
  Body body = body_of(kTryCatch);
  Clause inner = body.clauses[0];
  inner.try_end = inner.try_begin->next();  // the nop alone
  body.add_clause(inner);
  ASSERT_EQ(body.clauses.size(), 2u);
  EXPECT_EQ(body.clauses[0].try_end, inner.try_end);
  Clause sibling = body.clauses[1];
  sibling.class_token = 0x01000002;
  body.add_clause(sibling);
  EXPECT_EQ(body.clauses[2].class_token, 0x01000002u);
}

}  // namespace
}  // namespace oriel::il::test
