// Sizes of branches, headers and sections; the map; max stack.
#include <gtest/gtest.h>

#include "il/decode.h"
#include "il/encode.h"
#include "il/stack.h"
#include "listing.h"

namespace oriel::il::test {
namespace {

Encoded encoded_of(Body& body, const MethodFacts& facts = {}) {
  Result<Encoded> encoded = encode(body, facts);
  if (encoded) return std::move(*encoded);
  ADD_FAILURE() << encoded.message();
  return {};
}

void pad_before(Body& body, Instruction* at, size_t count) {
  for (size_t i = 0; i < count; ++i)
    body.insert_before(at, body.make(Opcode::Nop), Branches::kStay, Regions::kOfPrevious);
}

TEST(Encode, ForwardBranchWidensBeyond127) {
  for (size_t padding : {126, 127, 128}) {
    Body body = body_of(tiny({0x2b, 0x00, 0x2a}));  // br.s → ret
    pad_before(body, body.last(), padding);
    const Encoded encoded = encoded_of(body);
    EXPECT_EQ(encoded.code_bytes, (padding <= 127 ? 2 : 5) + padding + 1) << padding;
    Body again = body_of(encoded.bytes);
    EXPECT_EQ(again.first()->target(), again.last());
  }
}

TEST(Encode, BackwardBranchWidensBeyond128) {
  for (size_t padding : {125, 126, 127}) {
    Body body = body_of(tiny({0x00, 0x2b, 0xfd}));  // nop; br.s → nop: 3 back
    pad_before(body, body.last(), padding);
    const Encoded encoded = encoded_of(body);
    EXPECT_EQ(encoded.code_bytes, 1 + padding + (1 + padding + 2 <= 128 ? 2 : 5)) << padding;
    Body again = body_of(encoded.bytes);
    EXPECT_EQ(again.last()->target(), again.first());
  }
}

TEST(Encode, OneWideningPushesTheNextOut) {
  // 40 branches, each just in reach of its target until the one behind it grows.
  Body body;
  std::vector<Instruction*> branches;
  const auto append = [&](Instruction* made) {
    body.insert_before(body.end(), made, Branches::kStay, Regions::kOfNext);
    return made;
  };
  std::vector<Instruction*> nops;
  for (int i = 0; i < 40; ++i) {
    branches.push_back(append(body.make_branch(Opcode::Br, nullptr)));
    for (int n = 0; n < 61; ++n) nops.push_back(append(body.make(Opcode::Nop)));
  }
  Instruction* ret = append(body.make(Opcode::Ret));
  // Over one more branch: 61 + 2 + 61 = 124 bytes, and 3 more nops are 127.
  for (size_t i = 0; i < branches.size(); ++i)
    body.retarget(branches[i], i + 2 < branches.size() ? nops[(i + 2) * 61 + 1] : ret);
  Body again = through(body);
  EXPECT_EQ(listing(again), listing(body));
  // A longer one at the end starts the chain.
  pad_before(body, ret, 10);
  Body longer = through(body);
  EXPECT_EQ(listing(longer), listing(body));
}

TEST(Encode, LongBranchesStayAsWritten) {
  const Bytes bytes = tiny({0x38, 0, 0, 0, 0, 0x2a});
  Body body = body_of(bytes);
  EXPECT_EQ(encoded_of(body).bytes, bytes);
}

TEST(Encode, TinyGrowsFatWhenItMust) {
  Body body = body_of(tiny({0x2a}));
  pad_before(body, body.last(), 62);
  EXPECT_EQ(encoded_of(body).bytes.size(), 1u + 63);
  pad_before(body, body.last(), 1);
  EXPECT_EQ(encoded_of(body).bytes.size(), 12u + 64);

  Body locals = body_of(tiny({0x2a}));
  locals.locals_token = 0x11000001;
  locals.init_locals = true;
  EXPECT_EQ(encoded_of(locals).bytes, fat({0x2a}, 8, 0x11000001, true));

  Body deep = body_of(tiny({0x2a}));
  for (int i = 0; i < 9; ++i)
    deep.insert_before(deep.last(), deep.make(Opcode::Ldnull), Branches::kStay, Regions::kOfNext);
  const Encoded encoded = encoded_of(deep);
  EXPECT_EQ(encoded.max_stack, 9);
  EXPECT_EQ(body_of(encoded.bytes).max_stack, 9);
}

TEST(Encode, SmallSectionTurnsFatBeyond255BytesOfTry) {
  const Bytes bytes = with_clauses({0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a}, {{0, 0, 3, 3, 3, 0x01000001}});
  Body body = body_of(bytes);
  EXPECT_EQ(encoded_of(body).bytes, bytes);
  pad_before(body, body.first()->next(), 249);
  // The leave over the handler stays short: try is 252 bytes.
  EXPECT_EQ(encoded_of(body).bytes.size(), 12u + 256 + 4 + 12);
  pad_before(body, body.first()->next(), 4);
  const Encoded encoded = encoded_of(body);
  EXPECT_EQ(encoded.bytes[12 + 260], 0x41);
  Body again = body_of(encoded.bytes);
  EXPECT_EQ(clause_listing(again), clause_listing(body));
}

TEST(Encode, SmallSectionTurnsFatBeyondOffset65535) {
  Body body = body_of(with_clauses({0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a}, {{0, 0, 3, 3, 3, 0x01000001}}));
  pad_before(body, body.first(), 65535);
  EXPECT_EQ(clause_listing(body), "catch 65535-65537 65537-65539");
  Body again = through(body);
  EXPECT_EQ(clause_listing(again), clause_listing(body));
}

TEST(Encode, SmallSectionTurnsFatBeyondTwentyClauses) {
  const ClauseBytes clause{0, 0, 3, 3, 3, 0x01000001};
  for (size_t count : {20, 21}) {
    const Bytes bytes =
        with_clauses({0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a}, std::vector(count, clause), count > 20);
    Body body = body_of(bytes);
    EXPECT_EQ(body.clauses.size(), count);
    EXPECT_EQ(encoded_of(body).bytes, bytes);
  }
}

TEST(Encode, ClausesOfAllKinds) {
  // Nested: try { try { nop leave } filter { pop ldc.0 endfilter } { pop leave } endfinally… } and a fault around.
  const Bytes code = {0x00, 0xde, 0x07, 0x26, 0x16, 0xfe, 0x11, 0x26, 0xde, 0x00, 0xde, 0x01, 0xdc, 0x2a};
  const std::vector<ClauseBytes> clauses = {{1, 0, 3, 7, 3, 3}, {2, 0, 12, 12, 1}};
  for (bool fat_section : {false, true}) {
    Body body = body_of(with_clauses(code, clauses, fat_section));
    EXPECT_EQ(listing(body), "nop; leave >7; pop; ldc.i4.0; endfilter; pop; leave >7; leave >9; endfinally; ret");
    EXPECT_EQ(clause_listing(body), "filter 0-2 2? 5-7; finally 0-8 8-9");
    EXPECT_EQ(encoded_of(body).bytes, with_clauses(code, clauses));
    body.clauses[1].kind = ClauseKind::kFault;
    Body again = through(body);
    EXPECT_EQ(clause_listing(again), "filter 0-2 2? 5-7; fault 0-8 8-9");
  }
}

TEST(Encode, ExtraSectionsAreKept) {
  // An unknown section of three bytes before the exception table.
  Bytes bytes = fat({0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a});
  bytes[0] |= 0x08;
  bytes.resize(20);
  const Bytes sections = {0x82, 7, 0, 0, 0xaa, 0xbb, 0xcc, 0, 0x01, 16, 0, 0, 0, 0, 0, 0, 3, 3, 0, 3, 1, 0, 0, 1};
  bytes.insert(bytes.end(), sections.begin(), sections.end());
  Body body = body_of(bytes);
  Body again = through(body);
  ASSERT_EQ(again.extra_sections.size(), 1u);
  EXPECT_EQ(again.extra_sections[0].kind, 2);
  EXPECT_EQ(again.extra_sections[0].data, (Bytes{0xaa, 0xbb, 0xcc}));
  EXPECT_EQ(clause_listing(again), "catch 0-2 2-4");
}

TEST(Encode, MapTellsWhereOriginalInstructionsWent) {
  Body body = body_of(tiny({0x02, 0x26, 0x00, 0x2a}));
  body.remove(body.at_original_offset(2));
  pad_before(body, body.at_original_offset(1), 3);
  EXPECT_EQ(encoded_of(body).map, (std::vector<OffsetPair>{{0, 0}, {1, 4}, {3, 5}}));
}

TEST(Stack, HandlersStartWithTheException) {
  Body body = body_of(with_clauses({0x00, 0xde, 0x04, 0x25, 0x26, 0x26, 0x2a, 0x2a}, {{0, 0, 3, 3, 4, 0x01000001}}));
  const StackDepths depths = compute_stack(body, {});
  EXPECT_TRUE(depths.problem);
  EXPECT_EQ(depths.max, 2u);
}

TEST(Stack, UnreachableCodeIsKeptAndStartsEmpty) {
  Body body = body_of(tiny({0x14, 0x26, 0x2a, 0x26, 0x14, 0x14, 0x26, 0x26, 0x2a}));
  const StackDepths depths = compute_stack(body, {});
  EXPECT_TRUE(depths.problem);
  EXPECT_EQ(depths.before[3], 0);
  EXPECT_EQ(depths.max, 2u);
  Body again = through(body);
  EXPECT_EQ(listing(again), listing(body));
}

TEST(Stack, UnequalDepthsAndUnderflowAreRefused) {
  Body unequal = body_of(tiny({0x02, 0x2d, 0x01, 0x14, 0x26, 0x2a}));  // ldnull on one of two ways to pop
  EXPECT_NE(encode(unequal).message().find("IL_0004"), std::string::npos) << encode(unequal).message();
  Body underflow = body_of(tiny({0x26, 0x2a}));
  EXPECT_NE(encode(underflow).message().find("pop takes more"), std::string::npos);
}

TEST(Stack, WithoutSignaturesTheHeaderPlusWhatWasInsertedIsTheBound) {
  Body body = body_of(fat({0x28, 1, 0, 0, 6, 0x26, 0x2a}, 3));
  EXPECT_FALSE(compute_stack(body, {}).exact);
  EXPECT_EQ(compute_stack(body, {}).max, 3u);
  for (int i = 0; i < 2; ++i) {
    body.insert_before(body.last(), body.make(Opcode::Ldnull), Branches::kStay, Regions::kOfNext);
  }
  body.insert_before(body.last(), body.make_call(Opcode::Call, 0x06000002, {2, 0}), Branches::kStay, Regions::kOfNext);
  EXPECT_EQ(compute_stack(body, {}).max, 5u);
  MethodFacts facts;
  facts.call_effect = [](Opcode, uint32_t) { return StackEffect{0, 1}; };
  EXPECT_TRUE(compute_stack(body, facts).exact);
  EXPECT_EQ(compute_stack(body, facts).max, 2u);
}

TEST(Encode, LongBranchesFatHeaderAndLeastStackOnRequest) {
  // ldarg.0; brtrue.s → ret; nop; ret
  const Bytes tiny_body = tiny({0x02, 0x2d, 0x01, 0x00, 0x2a});
  Body body = body_of(tiny_body);
  const auto all = encode(body, {}, {.long_branches = true, .fat_header = true, .least_stack = true});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->bytes.size(), 12u + 8u);
  EXPECT_EQ(all->max_stack, 1);
  EXPECT_EQ(all->map, (std::vector<OffsetPair>{{0, 0}, {1, 1}, {3, 6}, {4, 7}}));
  EXPECT_EQ(encode(body)->bytes, tiny_body);
  body.keep_long(body.first()->next());
  EXPECT_EQ(encode(body)->bytes.size(), 1u + 8u);
  body.keep_long(body.first());
  EXPECT_FALSE(encode(body)) << "ldarg.0 is no branch";
}

}  // namespace
}  // namespace oriel::il::test
