// ILAsm's words to signatures' bytes.
#include "metadata/il_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "metadata/signature.h"

namespace oriel::metadata {
namespace {

using Bytes = std::vector<uint8_t>;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

// Each type met is the next row: typeDefs without an assembly, else typeRefs.
struct Tokens final : TypeTokens {
  Result<uint32_t> type(const std::string& assembly, const std::vector<std::string>& names) override {
    std::string all = "[" + assembly + "]";
    for (const std::string& name : names) all += name + ";";
    if (assembly == "Missing") return Status::error("there is no " + assembly);
    return known.try_emplace(all, (assembly.empty() ? 0x02000000u : 0x01000000u) | (known.size() + 1)).first->second;
  }
  std::map<std::string, uint32_t> known;
};

Bytes type(const std::string& text) {
  Tokens tokens;
  const auto read = type_of_text(text, tokens);
  EXPECT_TRUE(read) << text << ": " << (read ? "" : read.message());
  return read ? *read : Bytes();
}
Bytes signature(const std::string& text) {
  Tokens tokens;
  const auto read = signature_of_text(text, tokens);
  EXPECT_TRUE(read) << text << ": " << (read ? "" : read.message());
  return read ? *read : Bytes();
}
MemberText member(const std::string& text, Tokens& tokens) {
  const auto read = member_of_text(text, tokens);
  EXPECT_TRUE(read) << text << ": " << (read ? "" : read.message());
  return read ? *read : MemberText();
}
std::string fault(const std::string& text) {
  Tokens tokens;
  const auto read = member_of_text(text, tokens);
  return read ? "" : read.message();
}

TEST(IlText, PrimitiveTypesInBothWords) {
  EXPECT_THAT(type("int32"), ElementsAre(0x08));
  EXPECT_THAT(type(" int "), ElementsAre(0x08));
  EXPECT_THAT(type("native int"), ElementsAre(0x18));
  EXPECT_THAT(type("nint"), ElementsAre(0x18));
  EXPECT_THAT(type("float64"), ElementsAre(0x0d));
  EXPECT_THAT(type("typedref"), ElementsAre(0x16));
}

TEST(IlText, NamedTypes) {
  EXPECT_THAT(type("Shop.Cart/Item"), ElementsAre(0x12, 0x04));
  EXPECT_THAT(type("valuetype [System.Runtime]System.Guid"), ElementsAre(0x11, 0x05));
  EXPECT_THAT(type("'<Main>$'"), ElementsAre(0x12, 0x04));
  Tokens tokens;
  (void)type_of_text("class [Lib, Version=1.0.0.0]A.B/C", tokens);
  EXPECT_EQ(tokens.known.begin()->first, "[Lib, Version=1.0.0.0]A.B;C;");
  EXPECT_EQ(named_type(Bytes{0x12, 0x05}), 0x01000001u);
  EXPECT_EQ(named_type(Bytes{0x08}), 0u);
  EXPECT_EQ(named_type(Bytes{0x1d, 0x12, 0x05}), 0u);
}

TEST(IlText, TypesMadeOfTypes) {
  EXPECT_THAT(type("int32[]"), ElementsAre(0x1d, 0x08));
  EXPECT_THAT(type("int32[][]&"), ElementsAre(0x10, 0x1d, 0x1d, 0x08));
  EXPECT_THAT(type("int32[,]"), ElementsAre(0x14, 0x08, 2, 0, 0));
  EXPECT_THAT(type("int32[0...,0...]"), ElementsAre(0x14, 0x08, 2, 0, 2, 0, 0));
  EXPECT_THAT(type("void*"), ElementsAre(0x0f, 0x01));
  EXPECT_THAT(type("string pinned"), ElementsAre(0x45, 0x0e));
  EXPECT_THAT(type("int32 modreq([R]IsVolatile)"), ElementsAre(0x1f, 0x05, 0x08));
  EXPECT_THAT(type("class [R]List`1<!0, !!1>"), ElementsAre(0x15, 0x12, 0x05, 2, 0x13, 0, 0x1e, 1));
  EXPECT_THAT(type("method void *(int32, string)"), ElementsAre(0x1b, 0x00, 2, 0x01, 0x08, 0x0e));
}

TEST(IlText, Signatures) {
  EXPECT_THAT(signature("void ()"), ElementsAre(0x00, 0, 0x01));
  EXPECT_THAT(signature("instance int32 (string, object[])"), ElementsAre(0x20, 2, 0x08, 0x0e, 0x1d, 0x1c));
  EXPECT_THAT(signature("unmanaged void (native int)"), ElementsAre(0x01, 1, 0x01, 0x18));
}

TEST(IlText, Members) {
  Tokens tokens;
  const MemberText write = member("void [System.Console]System.Console::WriteLine(string)", tokens);
  EXPECT_FALSE(write.is_field);
  EXPECT_EQ(write.name, "WriteLine");
  EXPECT_THAT(write.owner, ElementsAre(0x12, 0x05));
  EXPECT_THAT(write.signature, ElementsAre(0x00, 1, 0x01, 0x0e));
  EXPECT_TRUE(write.arguments.empty());

  const MemberText field = member("int32 Shop.Cart::'<Total>k__BackingField'", tokens);
  EXPECT_TRUE(field.is_field);
  EXPECT_EQ(field.name, "<Total>k__BackingField");
  EXPECT_THAT(field.signature, ElementsAre(0x06, 0x08));

  const MemberText constructor = member("instance void class [R]List`1<int32>::.ctor()", tokens);
  EXPECT_EQ(constructor.name, ".ctor");
  EXPECT_THAT(constructor.owner, ElementsAre(0x15, 0x12, 0x0d, 1, 0x08));

  const MemberText generic = member("!!0 Tools::First<string, int32[]>(!!0)", tokens);
  EXPECT_THAT(generic.signature, ElementsAre(0x10, 2, 1, 0x1e, 0, 0x1e, 0));
  EXPECT_THAT(generic.arguments, ElementsAre(0x0a, 2, 0x0e, 0x1d, 0x08));
  EXPECT_TRUE(member("!!0 Tools::First<[1]>(!!0)", tokens).arguments.empty());
}

TEST(IlText, WhatIsWrongIsToldWithItsPlace) {
  EXPECT_EQ(fault("void A::B(int32"), "at 16: expected )");
  EXPECT_EQ(fault("void A.B(int32)"), "at 9: expected :: between a type and its member");
  EXPECT_EQ(fault("void A::B(int32) x"), "at 18: expected the end");
  EXPECT_EQ(fault("void [Missing]A::B()"), "at 16: there is no Missing");
  EXPECT_EQ(fault("void A::B(int32[0...,])"), "at 23: expected a bound for each dimension, or for none");
  EXPECT_THAT(fault(""), HasSubstr("expected a name"));
  EXPECT_THAT(fault("void A::B<>()"), HasSubstr("expected a type in <>"));
  EXPECT_THAT(fault("void A::B(!99999999)"), HasSubstr("too large"));
  EXPECT_THAT(fault("void A::B(method void (int32))"), HasSubstr("expected * before"));
  std::string deep = "void A::B(";
  for (int i = 0; i < 200; ++i) deep += "class G`1<";
  EXPECT_THAT(fault(deep), HasSubstr("nested too deep"));
}

TEST(IlText, NamesOfAType) {
  const auto names = names_of_text("Shop.Cart/'<Item>'");
  ASSERT_TRUE(names);
  EXPECT_THAT(*names, ElementsAre("Shop.Cart", "<Item>"));
  for (const char* wrong : {"", "A/", "A B", "[Lib]A", "A[]"}) EXPECT_FALSE(names_of_text(wrong)) << wrong;
}

TEST(IlText, Assemblies) {
  const auto read =
      assembly_of_text("System.Console, Version=10.0.0.1, Culture=neutral, PublicKeyToken=B03f5f7f11d50a3a");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "System.Console");
  EXPECT_THAT(read->version, ElementsAre(10, 0, 0, 1));
  EXPECT_THAT(read->public_key_token, ElementsAreArray({0xb0, 0x3f, 0x5f, 0x7f, 0x11, 0xd5, 0x0a, 0x3a}));
  EXPECT_TRUE(assembly_of_text("Lib"));
  for (const char* wrong : {"", "A, Version=1.0", "A, Version=1.0.0.99999", "A, Version=1.0.0.0.", "A, Version=1.0.0",
                            "A, PublicKeyToken=12", "A, Colour=red", "A, Culture=de", "A,"}) {
    EXPECT_FALSE(assembly_of_text(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace oriel::metadata
