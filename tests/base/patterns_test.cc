#include "base/text/patterns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Choice = MethodPatterns::Choice;

MethodPatterns patterns(const std::string& list) {
  auto parsed = MethodPatterns::parse(list);
  EXPECT_TRUE(parsed) << parsed.message();
  return parsed ? std::move(*parsed) : MethodPatterns();
}

bool means(const std::string& list, const std::string& name, bool user_code = true) {
  return patterns(list).of_method("Shop", user_code, name);
}

bool anything(const std::string&) { return true; }

TEST(Glob, StarsAndQuestionMarks) {
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_FALSE(matches_glob("", "a"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("a*c", "abcbc"));
  EXPECT_FALSE(matches_glob("a*c", "abcb"));
  EXPECT_TRUE(matches_glob("?b*", "abc"));
  EXPECT_FALSE(matches_glob("?", ""));
  EXPECT_TRUE(matches_glob("**a**", "bab"));
  EXPECT_FALSE(matches_glob("a", "A"));
  // Without a bound this would take longer than the universe has.
  EXPECT_FALSE(matches_glob("*a*a*a*a*a*a*a*a*a*a*a*a*b", std::string(2000, 'a')));
}

TEST(PlainName, HasNoGenericArgumentsAndNoParameters) {
  EXPECT_EQ(plain_method_name("Shop.Cart.Add(System.String, int)"), "Shop.Cart.Add");
  EXPECT_EQ(plain_method_name("Shop.Box<System.Collections.Generic.List<int>>.Inner.Add<U>(T)"), "Shop.Box.Inner.Add");
  EXPECT_EQ(plain_method_name("Shop.Cart.Run.lambda#0(int)"), "Shop.Cart.Run.lambda#0");
  EXPECT_EQ(plain_method_name("Shop.Cart..ctor()"), "Shop.Cart..ctor");
  EXPECT_EQ(plain_method_name("<Module>..cctor()"), "<Module>..cctor");
  EXPECT_EQ(plain_method_name("Shop.<Main>$(string[])"), "Shop.<Main>$");
  EXPECT_EQ(plain_method_name("Broken<"), "Broken");
}

TEST(Patterns, NamesStandForWhatIsInThem) {
  EXPECT_TRUE(means("Shop", "Shop.Cart.Add(int)"));
  EXPECT_TRUE(means("Shop.Cart", "Shop.Cart.Add(int)"));
  EXPECT_TRUE(means("Shop.Cart.Add", "Shop.Cart.Add(int)"));
  EXPECT_TRUE(means("Shop.*", "Shop.Cart.Inner.Add(int)"));
  EXPECT_TRUE(means("*.Add", "Shop.Cart.Add(int)"));
  EXPECT_TRUE(means("Shop.C?rt.Add", "Shop.Cart.Add(int)"));
  EXPECT_TRUE(means("Shop.Map<K, V>.Add", "Shop.Map<string, int>.Add(int)"));
  EXPECT_FALSE(means("Shop", "Shopping.Cart.Add(int)"));
  EXPECT_FALSE(means("Cart", "Shop.Cart.Add(int)"));
  EXPECT_FALSE(means("Shop.Cart", "Shop.CartItem.Add(int)"));
  EXPECT_FALSE(means("shop", "Shop.Cart.Add(int)"));
}

TEST(Patterns, TheLastThatMatchesDecides) {
  const std::string list = "MyApp.*, !*.ToString ,MyApp.Money.ToString";
  EXPECT_TRUE(means(list, "MyApp.Cart.Add()"));
  EXPECT_FALSE(means(list, "MyApp.Cart.ToString()"));
  EXPECT_TRUE(means(list, "MyApp.Money.ToString()"));
  EXPECT_FALSE(means(list, "Other.Cart.Add()"));
  EXPECT_TRUE(means("A|B", "B.C()"));
  EXPECT_FALSE(means("A|!A.B", "A.B.C()"));
}

TEST(Patterns, WithoutOneToIncludeTheyBeginWithUserCode) {
  EXPECT_TRUE(means("", "Any.Thing()", true));
  EXPECT_FALSE(means("", "Any.Thing()", false));
  EXPECT_TRUE(means("!Any.Other", "Any.Thing()", true));
  EXPECT_FALSE(means("!Any.Thing", "Any.Thing()", true));
  EXPECT_FALSE(means("!Any.Other", "Any.Thing()", false));
  EXPECT_TRUE(means("Any", "Any.Thing()", false));
  EXPECT_TRUE(means("*", "Any.Thing()", false));
}

TEST(Patterns, AssembliesDecideWhereNamesDoNotMatter) {
  const auto of = [](const std::string& list, const std::string& assembly, bool user = true) {
    return patterns(list).of_assembly(assembly, user, anything);
  };
  EXPECT_EQ(of("", "Shop", true), Choice::kYes);
  EXPECT_EQ(of("", "System.Text.Json", false), Choice::kNo);
  EXPECT_EQ(of("[Shop]", "Shop"), Choice::kYes);
  EXPECT_EQ(of("[Shop]", "Other"), Choice::kNo);
  EXPECT_EQ(of("[Shop*]", "Shop.Core"), Choice::kYes);
  EXPECT_EQ(of("[Shop]Shop.Cart", "Shop"), Choice::kByName);
  EXPECT_EQ(of("[Shop]Shop.Cart", "Other"), Choice::kNo);
  EXPECT_EQ(of("Shop", "Other"), Choice::kByName);
  EXPECT_EQ(of("*", "Other", false), Choice::kYes);
  EXPECT_EQ(of("*,![System.*]", "System.Linq", false), Choice::kNo);
  EXPECT_EQ(of("Shop,![System.*]", "System.Linq", false), Choice::kNo);
  EXPECT_EQ(of("Shop,![System.*],[System.Linq]*.Where", "System.Linq", false), Choice::kByName);
  EXPECT_EQ(of("[Shop],!Shop.Cart", "Shop"), Choice::kByName);
  EXPECT_EQ(of("[Shop],!Shop.Cart", "Other"), Choice::kNo) << "names can only take away what is not in";
  EXPECT_EQ(of("!*.ToString", "System.Linq", false), Choice::kNo);
}

TEST(Patterns, NamesThatAreNotThereDoNotMatter) {
  const auto of = [](const std::string& list, const std::string& there, bool user = false) {
    return patterns(list).of_assembly("Shop", user,
                                      [&](const std::string& prefix) { return there.starts_with(prefix); });
  };
  EXPECT_EQ(of("Shop.*", "Shop.Cart"), Choice::kByName);
  EXPECT_EQ(of("Shop.*", "Till"), Choice::kNo);
  EXPECT_EQ(of("Shop.*,!*.ToString", "Till"), Choice::kNo);
  EXPECT_EQ(of("!Shop.Cart", "Till", true), Choice::kYes);
  EXPECT_EQ(of("!*.ToString", "Till", true), Choice::kByName);
  EXPECT_EQ(of("Shop.*,Till.?*", "Till"), Choice::kNo);
  EXPECT_EQ(of("Shop.*,Ti*", "Till"), Choice::kByName);
  EXPECT_EQ(of("*.Add", "Till"), Choice::kByName);
}

TEST(Patterns, KeywordsAreTypesOfTheCoreLibrary) {
  for (const char* list : {"System.String", "string", "System.*", "System.String.Join", "string.*", "*.Join"})
    EXPECT_TRUE(means(list, "string.Join(string, string[])")) << list;
  EXPECT_TRUE(means("System.Int32.Parse", "int.Parse(string)"));
  EXPECT_FALSE(means("System.Int64.Parse", "int.Parse(string)"));
  EXPECT_FALSE(means("System.String", "stringent.Join()"));
  EXPECT_FALSE(means("*,!System.*", "string.Join(string, string[])"));
}

TEST(Patterns, AKeywordIsAlsoTheNameOfAMethodWithoutAClass) {
  EXPECT_TRUE(means("string", "string"));
  EXPECT_TRUE(means("object", "object(int)"));
  EXPECT_FALSE(means("Shop.*", "string"));
}

TEST(Patterns, AssemblyAndNameTogether) {
  const MethodPatterns list = patterns("[Shop*]Shop.Cart,[Other]");
  EXPECT_TRUE(list.of_method("Shop.Core", true, "Shop.Cart.Add()"));
  EXPECT_FALSE(list.of_method("Else", true, "Shop.Cart.Add()"));
  EXPECT_TRUE(list.of_method("Other", true, "What.Ever()"));
}

TEST(Patterns, ThoseThatMatchedNothingAreTold) {
  const MethodPatterns list = patterns("Shop.Cart,[Core],Shop.Cart.Add,Nowhere.*,!Shop.Never,[Nothing]Shop");
  EXPECT_THAT(list.unmatched(), ElementsAre("Shop.Cart", "[Core]", "Shop.Cart.Add", "Nowhere.*", "[Nothing]Shop"));
  EXPECT_EQ(list.of_assembly("Core", true, anything), Choice::kByName);
  list.of_method("Shop", true, "Shop.Cart.Add()");
  EXPECT_THAT(list.unmatched(), ElementsAre("Nowhere.*", "[Nothing]Shop"));
  EXPECT_THAT(patterns("").unmatched(), IsEmpty());
}

TEST(Patterns, HaveATextWithoutCommas) {
  EXPECT_EQ(patterns("A.*, ![Core] B ,Map<K, V>.Add").text(), "A.*|![Core]B|Map.Add");
  EXPECT_EQ(patterns("").text(), "");
}

TEST(Patterns, MistakesAreNamed) {
  const auto message = [](const std::string& list) {
    const auto parsed = MethodPatterns::parse(list);
    return parsed ? std::string() : parsed.message();
  };
  EXPECT_EQ(message("A,!"), "the pattern '!' names nothing; write what to exclude after the '!'");
  EXPECT_THAT(message("[Shop"), HasSubstr("'[Shop' lacks its ']'"));
  EXPECT_THAT(message("Shop.Add(int)"), HasSubstr("without them: MyApp.Cart.Add"));
  EXPECT_EQ(message("A,Shop.*;x"), "the pattern 'Shop.*;x' has a ';', which no name has; join patterns by ','");
  EXPECT_THAT(message("[Shop;]"), HasSubstr("has a ';'"));
  EXPECT_EQ(message(" , |,"), "");
}

TEST(Patterns, AreCutInMessagesWhereTheyAreLong) {
  EXPECT_EQ(quoted_pattern(std::string(60, 'a')), "'" + std::string(60, 'a') + "'");
  EXPECT_EQ(quoted_pattern(std::string(61, 'a')), "'" + std::string(60, 'a') + "…'");
  EXPECT_EQ(quoted_pattern(std::string(59, 'a') + "ü.b"), "'" + std::string(59, 'a') + "…'");
  const auto parsed = MethodPatterns::parse("[" + std::string(100'000, 'a'));
  ASSERT_FALSE(parsed);
  EXPECT_LT(parsed.message().size(), 200u);
}

}  // namespace
}  // namespace oriel
