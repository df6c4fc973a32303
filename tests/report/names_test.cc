// Fitting of names, text and figures.
#include <gtest/gtest.h>

#include "report/words/csv.h"
#include "report/words/function_name.h"
#include "report/words/json_text.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {
namespace {

constexpr const char* kLong =
    "Microsoft.CodeAnalysis.CSharp.Binder.BindExpression(Microsoft.CodeAnalysis.CSharp.ExpressionSyntax, "
    "System.Collections.Generic.List<System.Int32>)";

TEST(FitName, DropsWhatTellsLeastFirst) {
  EXPECT_EQ(fit_name("Shop.Cart.Add(System.String)", 60), "Shop.Cart.Add(System.String)");
  EXPECT_EQ(fit_name("Shop.Cart.Add(System.String)", 24), "Shop.Cart.Add(String)");
  EXPECT_EQ(fit_name(kLong, 90), "Microsoft.CodeAnalysis.CSharp.Binder.BindExpression(ExpressionSyntax, List<Int32>)");
  EXPECT_EQ(fit_name(kLong, 60), "Microsoft.CodeAnalysis.CSharp.Binder.BindExpression(…)");
  EXPECT_EQ(fit_name(kLong, 40), "…CSharp.Binder.BindExpression(…)");
  EXPECT_EQ(fit_name(kLong, 26), "…Binder.BindExpression(…)");
  EXPECT_EQ(fit_name(kLong, 14), "…Binde…ression");
}

TEST(FitName, KeepsConstructorsGenericsAndNativeNames) {
  EXPECT_EQ(fit_name("A.Long.Namespace.Thing..ctor(int)", 16), "…Thing..ctor(…)");
  EXPECT_EQ(fit_name("A.B.Dictionary<System.String, System.Int32>.Insert(int)", 40),
            "A.B.Dictionary<String, Int32>.Insert(…)");
  EXPECT_EQ(fit_name("A.B.Dictionary<System.String, System.Int32>.Insert(int)", 28), "…Dictionary<…>.Insert(…)");
  EXPECT_EQ(fit_name("WKS::gc_heap::mark_object_simple(unsigned char**)", 32), "…gc_heap::mark_object_simple(…)");
  EXPECT_EQ(fit_name("[method 123, not in the log]", 12), "[meth…e log]");
}

TEST(FitName, NeverRunsOver) {
  const char* names[] = {kLong,     "operator<<(std::ostream&, int)", "a.b..c.(", "((((", ")))))(",
                         "…………………", "漢字.クラス.メソッド(漢字)",     ""};
  for (const char* name : names)
    for (size_t width = 1; width < 120; ++width) EXPECT_LE(display_width(fit_name(name, width)), width) << name;
}

TEST(FitFunction, NativeShowsItsLibrary) {
  const profile::Function memcpy = {"memcpy", "", "libc.so.6", false};
  EXPECT_EQ(fit_function(memcpy, 60), "memcpy [libc.so.6]");
  EXPECT_EQ(fit_function(memcpy, 20), "memcpy");
  EXPECT_EQ(fit_function({"foo", "", "[kernel.kallsyms]", false}, 60), "foo [kernel.kallsyms]");
  const profile::Function unnamed = {"[libcoreclr.so]", "", "libcoreclr.so", false};
  EXPECT_EQ(fit_function(unnamed, 60), "[libcoreclr.so]");
}

TEST(FitFunction, ANativeSymbolIsCutAtNoDot) {
  const profile::Function part = {"malloc_consolidate.part.0", "", "libc.so.6", false};
  EXPECT_EQ(brief_name(part).owner + brief_name(part).method, "malloc_consolidate.part.0");
  EXPECT_EQ(fit_function(part, 20), "malloc_co…ate.part.0");
  const profile::Function member = {"WKS::gc_heap::mark(unsigned char*)", "", "libclrgc.so", false};
  EXPECT_EQ(brief_name(member).owner, "gc_heap::");
  EXPECT_EQ(brief_name(member).method, "mark");
}

TEST(Text, CleanLeavesNothingThatSteersATerminal) {
  EXPECT_EQ(clean("a\x1b[31mb\n\tc"),
            "a\xEF\xBF\xBD[31mb\xEF\xBF\xBD\xEF\xBF\xBD"
            "c");
  EXPECT_EQ(clean("\xff\xc0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(clean("Größe漢"), "Größe漢");
  EXPECT_EQ(clean("\xe2\x80\xae"
                  "gnp.exe"),
            "\xEF\xBF\xBDgnp.exe");  // right-to-left override
}

TEST(Text, WidthsOfWideAndCombiningCharacters) {
  EXPECT_EQ(display_width("Größe"), 5u);
  EXPECT_EQ(display_width("漢字"), 4u);
  EXPECT_EQ(display_width("e\xcc\x81"), 1u);
  EXPECT_EQ(cut_middle("abcdefgh", 5), "ab…gh");
  EXPECT_EQ(cut_end("漢字漢字", 4), "漢…");
  EXPECT_EQ(cut_start("abcdefgh", 4), "…fgh");
}

TEST(Units, FitForPeople) {
  EXPECT_EQ(count(0), "0");
  EXPECT_EQ(count(999), "999");
  EXPECT_EQ(count(1'234'567), "1,234,567");
  EXPECT_EQ(duration(0), "0 s");
  EXPECT_EQ(duration(890), "890 ns");
  EXPECT_EQ(duration(12'345), "12.3 µs");
  EXPECT_EQ(duration(999'600), "1.00 ms");
  EXPECT_EQ(duration(1'234'567'890), "1.23 s");
  EXPECT_EQ(duration(245'000'000'000), "4 min 05 s");
  EXPECT_EQ(duration(7'380'000'000'000), "2 h 03 min");
  EXPECT_EQ(bytes(512), "512 bytes");
  EXPECT_EQ(bytes(34'600'000), "34.6 MB");
  EXPECT_EQ(percent(1, 3), "33.3 %");
  EXPECT_EQ(percent(0, 0), "–");
  EXPECT_EQ(date(1'780'000'000'000'000), "2026-05-28 20:26:40 UTC");
}

// JSON lets these stand, and terminals act on them.
TEST(JsonText, HasNothingThatATerminalActsOn) {
  const nlohmann::ordered_json json = {{"name", "a\u009b2J\u202e\x7f\ufeff\x1b\xffé"}};
  const std::string text = json_text(json);
  EXPECT_EQ(text, "{\"name\":\"a\\u009b2J\\u202e\\u007f\\ufeff\\u001b\uFFFDé\"}");
  EXPECT_EQ(nlohmann::ordered_json::parse(text)["name"], "a\u009b2J\u202e\x7f\ufeff\x1b\uFFFDé");
  EXPECT_EQ(json_text(nlohmann::json({1, 2}), 1), "[\n 1,\n 2\n]");
}

TEST(CsvText, KeepsLineBreaksAndTabs) {
  EXPECT_EQ(csv_text("plain"), "plain");
  EXPECT_EQ(csv_text("a, \"b\"\nc\td"), "\"a, \"\"b\"\"\nc\td\"");
  EXPECT_EQ(csv_text("\r\n"), "\"\uFFFD\n\"");
  EXPECT_EQ(csv_text("\tx\x1b[2J\xff"), "\tx\uFFFD[2J\uFFFD");
  EXPECT_EQ(csv_text(""), "");
}

}  // namespace
}  // namespace oriel::report
