// Blobs to signatures to text; nothing of a blob is trusted.
#include "metadata/signature.h"

#include <gtest/gtest.h>

#include <random>

#include "metadata/type_text.h"

namespace oriel::metadata {
namespace {

using Blob = std::vector<uint8_t>;

// TypeRef 1 is System.Collections.Generic.List`1, 2 is Shop.Outer+Inner`1; typeSpec 1 is string[], typeSpec 2 itself.
class FakeScope final : public NameScope {
 public:
  TypePath type_path(uint32_t token) const override {
    switch (token) {
      case 0x01000001:
        return {"System.Collections.Generic", {"List`1"}};
      case 0x02000002:
        return {"Shop", {"Outer", "Inner`1"}};
      case 0x01000003:
        return {"System", {"Int32"}};
      case 0x01000004:
        return {"System", {"Nullable`1"}};
      default:
        return {};
    }
  }
  std::span<const uint8_t> type_spec(uint32_t token) const override {
    static const uint8_t kStrings[] = {0x1d, 0x0e};
    static const uint8_t kItself[] = {0x12, 0x0a};
    if (token == 0x1b000001) return kStrings;
    if (token == 0x1b000002) return kItself;
    return {};
  }
  std::string internal_type(uint64_t handle, Style style) const override {
    if (handle == 0x1133) return style == Style::kRaw ? "Open`1[T]" : "Open<T>";
    return handle == 0x1122 ? "Known" : "";
  }
  std::string class_parameter(uint32_t index, Style) const override { return "T" + std::to_string(index); }
  std::string method_parameter(uint32_t index, Style) const override { return "M" + std::to_string(index); }
};

struct Case {
  Blob blob;
  const char* short_text;
  const char* raw_text;
};

TEST(Signature, TypesAsText) {
  const Case kCases[] = {
      {{0x08}, "int", "System.Int32"},
      {{0x0e}, "string", "System.String"},
      {{0x1c}, "object", "System.Object"},
      {{0x18}, "nint", "System.IntPtr"},
      {{0x1d, 0x1d, 0x05}, "byte[][]", "System.Byte[][]"},
      {{0x14, 0x08, 0x03, 0x00, 0x00}, "int[,,]", "System.Int32[,,]"},
      {{0x14, 0x08, 0x02, 0x02, 0x03, 0x04, 0x02, 0x00, 0x00}, "int[,]", "System.Int32[,]"},
      {{0x10, 0x08}, "ref int", "System.Int32&"},
      {{0x0f, 0x01}, "void*", "System.Void*"},
      {{0x12, 0x05}, "List", "System.Collections.Generic.List`1"},
      {{0x15, 0x12, 0x05, 0x01, 0x0e}, "List<string>", "System.Collections.Generic.List`1[System.String]"},
      {{0x15, 0x12, 0x05, 0x01, 0x15, 0x12, 0x05, 0x01, 0x13, 0x00},
       "List<List<T0>>",
       "System.Collections.Generic.List`1[System.Collections.Generic.List`1[T0]]"},
      {{0x15, 0x12, 0x08, 0x01, 0x08}, "Outer.Inner<int>", "Shop.Outer+Inner`1[System.Int32]"},
      {{0x11, 0x0d}, "int", "System.Int32"},
      {{0x15, 0x11, 0x11, 0x01, 0x08}, "int?", "System.Nullable`1[System.Int32]"},
      {{0x1e, 0x01}, "M1", "M1"},
      {{0x1b, 0x00, 0x01, 0x0a, 0x08}, "delegate*<int, long>", "delegate*<System.Int32, System.Int64>"},
      {{0x1f, 0x05, 0x08}, "int", "System.Int32"},
      {{0x45, 0x10, 0x08}, "ref int", "System.Int32&"},
      {{0x12, 0x06}, "string[]", "System.String[]"},
      {{0x12, 0x0a}, "?", "?"},  // a typeSpec that is itself
      {{0x12, 0xc0, 0x40, 0x00, 0x01}, "?", "?"},
      {{0x21, 0x22, 0x11, 0, 0, 0, 0, 0, 0}, "Known", "Known"},
      {{0x21, 0x23, 0x11, 0, 0, 0, 0, 0, 0}, "?", "?"},
      {{0x15, 0x21, 0x33, 0x11, 0, 0, 0, 0, 0, 0, 0x01, 0x08}, "Open<int>", "Open`1[System.Int32]"},
      {{0x22, 0x01, 1, 2, 3, 4, 5, 6, 7, 8, 0x08}, "int", "System.Int32"},
  };
  const FakeScope scope;
  for (const Case& one : kCases) {
    const auto type = decode_type_signature(one.blob);
    ASSERT_TRUE(type.is_ok()) << one.short_text;
    EXPECT_EQ(type_text(*type, scope, Style::kShort), one.short_text);
    EXPECT_EQ(type_text(*type, scope, Style::kRaw), one.raw_text);
  }
}

TEST(Signature, Methods) {
  // instance, generic with one parameter: M0 f(string, ref int)
  const auto method = decode_method_signature(Blob{0x30, 0x01, 0x02, 0x1e, 0x00, 0x0e, 0x10, 0x08});
  ASSERT_TRUE(method.is_ok());
  EXPECT_TRUE(method->has_this);
  EXPECT_FALSE(method->is_vararg);
  EXPECT_EQ(method->generic_parameters, 1u);
  EXPECT_EQ(parameters_text(method->parameters, FakeScope(), Style::kShort), "(string, ref int)");
  EXPECT_EQ(parameters_text(method->parameters, FakeScope(), Style::kRaw), "(System.String,System.Int32&)");
  EXPECT_EQ(type_text(method->result, FakeScope(), Style::kFull), "M0");
}

TEST(Signature, CorruptBlobsAreErrors) {
  const Blob kCorrupt[] = {
      {},
      {0x00},
      {0x00, 0x01, 0x01},                    // a parameter is missing
      {0x00, 0x7f, 0x01, 0x08},              // more parameters than bytes
      {0x00, 0xff, 0xff, 0xff, 0xff, 0x01},  // a count that no integer is
      {0x00, 0x00, 0x00},                    // no type
      {0x00, 0x00, 0x15, 0x12, 0x05},        // arguments are missing
      {0x00, 0x00, 0x12, 0x07},              // a table that does not exist
      {0x00, 0x00, 0x21, 0x01},
  };
  for (const Blob& blob : kCorrupt) EXPECT_FALSE(decode_method_signature(blob).is_ok());
  EXPECT_FALSE(decode_type_signature(Blob(100'000, 0x1d)).is_ok()) << "endless nesting";
}

TEST(Signature, AnyBytesAreSurvived) {
  std::mt19937 random(1);  // the same bytes every time
  size_t whole = 0;
  for (int round = 0; round < 200'000; ++round) {
    Blob blob(random() % 24);
    for (uint8_t& byte : blob) byte = static_cast<uint8_t>(random() % 0x48);
    const auto method = decode_method_signature(blob);
    if (!method) continue;
    ++whole;
    EXPECT_EQ(parameters_text(method->parameters, FakeScope(), Style::kFull).front(), '(');
    attribute_string(blob);
  }
  EXPECT_GT(whole, 100u);
}

TEST(Signature, AttributesTellTheirFirstString) {
  EXPECT_EQ(attribute_string(Blob{1, 0, 3, 'a', '+', 'b', 0, 0}), "a+b");
  EXPECT_EQ(attribute_string(Blob{1, 0, 0xff, 0, 0}), "");
  EXPECT_EQ(attribute_string(Blob{1, 0, 9, 'a'}), "");
  EXPECT_EQ(attribute_string(Blob{2, 0, 1, 'a'}), "");
  EXPECT_EQ(attribute_string({}), "");
}

TEST(TypeText, ArgumentsGoToTheNamesTheyBelongTo) {
  const TypePath path{"Shop", {"Outer`1", "Plain", "Inner`2"}};
  EXPECT_EQ(type_text(path, {"A", "B", "C"}, Style::kFull), "Shop.Outer<A>.Plain.Inner<B, C>");
  EXPECT_EQ(type_text(path, {"A", "B", "C"}, Style::kShort), "Outer<A>.Plain.Inner<B, C>");
  EXPECT_EQ(type_text(path, {"A", "B", "C"}, Style::kRaw), "Shop.Outer`1+Plain+Inner`2[A,B,C]");
  EXPECT_EQ(type_text(path, {"A"}, Style::kFull), "Shop.Outer<A>.Plain.Inner");
  EXPECT_EQ(type_text(TypePath(), {}, Style::kFull), "?");
}

TEST(TypeText, OnlySystemsOwnTypesAreKeywords) {
  EXPECT_EQ(type_text(TypePath{"System", {"Int32"}}, {}, Style::kFull), "int");
  EXPECT_EQ(type_text(TypePath{"System", {"Int32"}}, {}, Style::kRaw), "System.Int32");
  EXPECT_EQ(type_text(TypePath{"Shop", {"Int32"}}, {}, Style::kFull), "Shop.Int32");
  EXPECT_EQ(type_text(TypePath{"", {"String"}}, {}, Style::kFull), "String");
}

TEST(TypeText, AritiesAreOnlyNumbers) {
  EXPECT_EQ(split_arity("List`1").name, "List");
  EXPECT_EQ(split_arity("List`1").arity, 1u);
  EXPECT_EQ(split_arity("List`x").name, "List`x");
  EXPECT_EQ(split_arity("List`").arity, 0u);
  EXPECT_EQ(split_arity("`1").name, "`1");
  EXPECT_EQ(split_arity("List`99999999999999").arity, 0u);
}

}  // namespace
}  // namespace oriel::metadata
