// What decode refuses, and what it makes of each opcode and signature.
#include <gtest/gtest.h>

#include <set>

#include "il/decode.h"
#include "il/signature.h"
#include "listing.h"

namespace oriel::il::test {
namespace {

void expect_refused(const Bytes& bytes, const char* why) {
  const Result<Body> body = decode(bytes);
  ASSERT_FALSE(body) << why;
  EXPECT_NE(body.message().find(why), std::string::npos) << body.message();
}

TEST(Decode, RefusesMalformedBodies) {
  expect_refused({}, "no bytes");
  expect_refused({0x00, 0x2a}, "neither tiny nor fat");
  expect_refused({0x0a, 0x2a}, "longer than the bytes");
  expect_refused({0x02}, "no code");
  expect_refused({0x13, 0x20, 0, 0}, "less than 12");
  expect_refused(tiny({0x24}), "IL_0000: no such opcode");
  expect_refused(tiny({0x00, 0xfe, 0x20}), "IL_0001: no such opcode");
  expect_refused(tiny({0x00, 0xfe}), "IL_0001: the code ends within an opcode");
  expect_refused(tiny({0x20, 1, 2}), "IL_0000: the code ends within an operand");
  expect_refused(tiny({0x45, 0xff, 0xff, 0xff, 0xff}), "within an operand");
  expect_refused(tiny({0xfe, 0x13}), "prefix without");
  expect_refused(tiny({0x2b, 0x00}), "IL_0000: a branch that goes to no");
  expect_refused(tiny({0x2b, 0x01, 0x20, 0, 0, 0, 0, 0x2a}), "a branch that goes to no");
  expect_refused(tiny({0x2b, 0x80, 0x2a}), "a branch that goes to no");
  const Bytes code = {0x00, 0xde, 0x03, 0x26, 0xde, 0x00, 0x2a};
  expect_refused(with_clauses(code, {{0, 0, 2, 3, 3}}), "IL_0002: the boundary");
  expect_refused(with_clauses(code, {{0, 0, 3, 3, 5}}), "the boundary");
  expect_refused(with_clauses(code, {{3, 0, 3, 3, 3}}), "unknown kind 3");
  expect_refused(with_clauses(code, {{1, 0, 3, 3, 3, 2}}), "the boundary");
  Bytes cut = with_clauses(code, {{0, 0, 3, 3, 3}});
  cut.pop_back();
  expect_refused(cut, "exception table is longer");
  cut.resize(20);
  expect_refused(cut, "begins behind");
}

TEST(Decode, EveryOpcodeByItsEncoding) {
  std::set<uint16_t> known;
  for (unsigned i = 0; i < kOpcodeCount; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    EXPECT_EQ(find_opcode(info(opcode).encoding), opcode);
    known.insert(info(opcode).encoding);
  }
  EXPECT_EQ(known.size(), 219u);
  EXPECT_EQ(find_opcode(0xfd00), Opcode::End);
  for (unsigned code = 0; code <= 0xff; ++code) {
    if (!known.count(static_cast<uint16_t>(code))) {
      EXPECT_EQ(find_opcode(static_cast<uint16_t>(code)), Opcode::End);
    }
  }
  EXPECT_EQ(short_form(long_form(Opcode::Bge_Un_S)), Opcode::Bge_Un_S);
  EXPECT_EQ(long_form(Opcode::Leave_S), Opcode::Leave);
}

TEST(Signature, MethodShapes) {
  const auto shape_of = [](const Bytes& bytes) { return read_method_shape(bytes); };
  const auto instance = shape_of({0x20, 0x02, 0x01, 0x08, 0x0e});  // void (int, string) of an object
  ASSERT_TRUE(instance);
  EXPECT_EQ(call_effect(Opcode::Callvirt, *instance), (StackEffect{3, 0}));
  EXPECT_EQ(call_effect(Opcode::Newobj, *instance), (StackEffect{2, 1}));
  EXPECT_EQ(call_effect(Opcode::Calli, *instance), (StackEffect{4, 0}));
  const auto generic =
      shape_of({0x10, 0x01, 0x01, 0x1f, 0x80, 0x81, 0x10, 0x08, 0x0e});  // ref int modreq(…) <T>(string)
  ASSERT_TRUE(generic);
  EXPECT_EQ(generic->generic_parameters, 1u);
  EXPECT_EQ(call_effect(Opcode::Call, *generic), (StackEffect{1, 1}));
  const auto explicit_this = shape_of({0x60, 0x01, 0x01, 0x1c});
  ASSERT_TRUE(explicit_this);
  EXPECT_EQ(explicit_this->arguments(), 1u);
  EXPECT_FALSE(shape_of({}));
  EXPECT_FALSE(shape_of({0x06, 0x08}));
  EXPECT_FALSE(shape_of({0x00, 0x05, 0x01}));
  EXPECT_FALSE(shape_of({0x00, 0xff, 0x01}));
}

TEST(Signature, AddLocals) {
  const auto first = add_locals({}, std::vector<Bytes>{{0x08}});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->signature, (Bytes{0x07, 0x01, 0x08}));
  EXPECT_EQ(first->first, 0);
  const auto second = add_locals(first->signature, std::vector<Bytes>{{0x1c}, {0x10, 0x08}});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->signature, (Bytes{0x07, 0x03, 0x08, 0x1c, 0x10, 0x08}));
  EXPECT_EQ(second->first, 1);
  const auto many = add_locals(second->signature, std::vector<Bytes>(0x4000, {0x08}));
  ASSERT_TRUE(many);
  EXPECT_EQ(*local_count(many->signature), 0x4003u);
  EXPECT_FALSE(add_locals(many->signature, std::vector<Bytes>(0xffff, {0x08})));
  EXPECT_FALSE(add_locals(Bytes{0x00, 0x01, 0x08}, {}));
  EXPECT_FALSE(add_locals(Bytes{0x07, 0x02, 0x08}, {}));
  EXPECT_FALSE(add_locals({}, std::vector<Bytes>{{}}));
}

}  // namespace
}  // namespace oriel::il::test
