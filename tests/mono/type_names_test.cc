#include "runtimes/mono/type_names.h"

#include <gtest/gtest.h>

namespace oriel::mono {
namespace {

using metadata::Style;

std::string full(const char* written) { return readable_type(written, Style::kFull); }
std::string brief(const char* written) { return readable_type(written, Style::kShort); }

TEST(MonoTypeNames, KeywordsAreThoseOfTheLanguage) {
  EXPECT_EQ(full("int"), "int");
  EXPECT_EQ(full("int16"), "short");
  EXPECT_EQ(full("single"), "float");
  EXPECT_EQ(full("uintptr"), "nuint");
  EXPECT_EQ(full("System.String"), "string");
  EXPECT_EQ(readable_type("ulong", Style::kRaw), "System.UInt64");
}

TEST(MonoTypeNames, EachNestedTypeTakesItsOwnArguments) {
  const char* const written = "Shop.Outer`1/Inner`2<int, System.Uri, Shop.Item[]>";
  EXPECT_EQ(full(written), "Shop.Outer<int>.Inner<System.Uri, Shop.Item[]>");
  EXPECT_EQ(brief(written), "Outer<int>.Inner<Uri, Item[]>");
  EXPECT_EQ(readable_type(written, Style::kRaw), "Shop.Outer`1+Inner`2[System.Int32,System.Uri,Shop.Item[]]");
  EXPECT_EQ(full("System.Nullable`1<int>"), "int?");
  EXPECT_EQ(full("System.Collections.Generic.List`1"), "System.Collections.Generic.List");
}

TEST(MonoTypeNames, ArraysPointersAndReferences) {
  EXPECT_EQ(brief("System.Byte*[,][]"), "byte*[,][]");
  EXPECT_EQ(brief("System.Collections.Generic.List`1<T[]>&"), "ref List<T[]>");
  EXPECT_EQ(readable_type("int&", Style::kRaw), "System.Int32&");
}

TEST(MonoTypeNames, CompilersNamesHaveBracketsOfTheirOwn) {
  EXPECT_EQ(readable_type("Shop.P/<A>c__async0`1<int>", Style::kRaw), "Shop.P+<A>c__async0`1[System.Int32]");
  EXPECT_EQ(readable_type("<Module>", Style::kRaw), "<Module>");
  EXPECT_EQ(readable_type("<PrivateImplementationDetails>/$ArrayType=12", Style::kRaw),
            "<PrivateImplementationDetails>+$ArrayType=12");
}

TEST(MonoTypeNames, WhatCannotBeReadStays) {
  for (const char* text : {"", "List`1<", "List`1<int", "a b", "int[", "]", "<", "x`1<,>"}) EXPECT_EQ(full(text), text);
  const std::string deep(200, '<');
  EXPECT_EQ(readable_type("A`1" + deep, Style::kFull), "A`1" + deep);
}

TEST(MonoTypeNames, WhatAllReferencesShareIsTheParameter) {
  using Texts = std::vector<std::string>;
  const Texts own = {"TKey", "TValue"};
  const char* const written = "Shop.Map`2<TKey_REF, int>[]";
  EXPECT_EQ(readable_type(written, Style::kFull, own), "Shop.Map<TKey, int>[]");
  EXPECT_EQ(readable_type(written, Style::kRaw, own), "Shop.Map`2[TKey,System.Int32][]");
  EXPECT_EQ(readable_arguments(written, Style::kShort, own), (Texts{"TKey", "int"}));
  EXPECT_EQ(readable_type("Shop.Map`2/Keys`1<TKey_REF, TValue_REF, V_REF>", Style::kShort, {"TKey", "TValue", "V"}),
            "Map<TKey, TValue>.Keys<V>");
  EXPECT_EQ(readable_method_arguments("A`1<X_REF>:Map<int, U_REF>", "Map", Style::kShort, {"T", "U"}),
            (Texts{"int", "U"}));
  EXPECT_TRUE(may_be_shared(written));
  EXPECT_FALSE(may_be_shared("Shop.Map`2<TKey, TValue>"));
}

TEST(MonoTypeNames, WhatOnlyLooksSharedStays) {
  EXPECT_EQ(full("Map`2<TKey_REF, TValue_REF>"), "Map<TKey_REF, TValue_REF>");  // whose parameters are not known
  EXPECT_EQ(readable_type("Map`2<Shop.TKey_REF, TKey_REF>", Style::kFull, {"TKey", "TValue"}),
            "Map<Shop.TKey_REF, TKey_REF>");
  EXPECT_EQ(readable_type("Map`2<TKey_REF[], List`1<TKey_REF>>", Style::kFull, {"TKey", "TKey"}),
            "Map<TKey_REF[], List<TKey_REF>>");
  EXPECT_EQ(readable_type("List`1<T_REFS>", Style::kFull, {"T"}), "List<T_REFS>");
  EXPECT_EQ(readable_type("T_REF", Style::kFull, {"T"}), "T_REF");
}

TEST(MonoTypeNames, Arguments) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(readable_method_arguments("A`1<int>:Map<System.String, T>", "Map", Style::kShort), (Texts{"string", "T"}));
  EXPECT_EQ(readable_method_arguments("A`1<int>:Map", "Map", Style::kShort), Texts());
  EXPECT_EQ(readable_method_arguments("A:<Map>m__0", "<Map>m__0", Style::kShort), Texts());
  EXPECT_EQ(readable_arguments("A`1/B`2<int, System.Uri, C`1<T>>[]", Style::kFull),
            (Texts{"int", "System.Uri", "C<T>"}));
  EXPECT_EQ(readable_arguments("A/<B>c__1", Style::kFull), Texts());
}

}  // namespace
}  // namespace oriel::mono
