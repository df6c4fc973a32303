// The names in tests/targets/zoo, as in the source and as in the metadata.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coreclr/run_target.h"

namespace oriel::test {
namespace {

struct Named {
  const char* raw;
  const char* name;
  const char* short_name;
  const char* klass;
};

constexpr Named kZoo[] = {
    {"Program+<<Main>$>d__0.MoveNext()", "Program.Main(string[])", "Main(string[])", "Program"},
    {"Program.<<Main>$>g__Helper|0_1(System.Int32)", "Program.Main.Helper(int)", "Main.Helper(int)", "Program"},
    {"Shop.Cart..ctor()", "Shop.Cart..ctor()", ".ctor()", "Shop.Cart"},
    {"Shop.Cart.AddAsync(System.String,System.Int32)", "Shop.Cart.AddAsync(string, int)", "AddAsync(string, int)",
     "Shop.Cart"},
    // Of two overloads, the compiler's attribute identifies the one to which the state machine belongs.
    {"Shop.Cart+<AddAsync>d__2.MoveNext()", "Shop.Cart.AddAsync(string, int)", "AddAsync(string, int)", "Shop.Cart"},
    {"Shop.Cart+<AddAsync>d__3.MoveNext()", "Shop.Cart.AddAsync(long)", "AddAsync(long)", "Shop.Cart"},
    {"Shop.Cart+<Items>d__5.MoveNext()", "Shop.Cart.Items(int)", "Items(int)", "Shop.Cart"},
    {"Shop.Cart+<Items>d__5.<>m__Finally1()", "Shop.Cart.Items(int).finally#1", "Items(int).finally#1", "Shop.Cart"},
    {"Shop.Cart+<Items>d__5.System.Collections.Generic.IEnumerator<System.Int32>.get_Current()",
     "Shop.Cart.Items(int).System.Collections.Generic.IEnumerator<System.Int32>.get_Current",
     "Items(int).System.Collections.Generic.IEnumerator<System.Int32>.get_Current", "Shop.Cart"},
    {"Shop.Cart+<Stream>d__6.MoveNext()", "Shop.Cart.Stream(int)", "Stream(int)", "Shop.Cart"},
    {"Shop.Cart+<>c.<Lambdas>b__7_0(System.Int32)", "Shop.Cart.Lambdas.lambda#0(int)", "Lambdas.lambda#0(int)",
     "Shop.Cart"},
    {"Shop.Cart+<>c.<Lambdas>b__7_1(System.Int32,System.String)", "Shop.Cart.Lambdas.lambda#1(int, string)",
     "Lambdas.lambda#1(int, string)", "Shop.Cart"},
    {"Shop.Cart+<>c__DisplayClass7_0.<Lambdas>b__2()", "Shop.Cart.Lambdas.lambda#2()", "Lambdas.lambda#2()",
     "Shop.Cart"},
    {"Shop.Cart.<Locals>g__Plus|8_0(System.Int32,Shop.Cart+<>c__DisplayClass8_0&)",
     "Shop.Cart.Locals.Plus(int, ref Cart.<>c__DisplayClass8_0)", "Locals.Plus(int, ref Cart.<>c__DisplayClass8_0)",
     "Shop.Cart"},
    {"Shop.Cart.<Locals>g__Static|8_1(System.Int64)", "Shop.Cart.Locals.Static(long)", "Locals.Static(long)",
     "Shop.Cart"},
    {"Shop.Cart+<<AsyncLambda>b__9_0>d.MoveNext()", "Shop.Cart.AsyncLambda.lambda#0(int)", "AsyncLambda.lambda#0(int)",
     "Shop.Cart"},
    {"Shop.Cart+<<AsyncLambda>g__Inside|9_1>d.MoveNext()", "Shop.Cart.AsyncLambda.Inside(string)",
     "AsyncLambda.Inside(string)", "Shop.Cart"},
    {"Shop.Cart.get_Item(System.Int32)", "Shop.Cart.get_Item(int)", "get_Item(int)", "Shop.Cart"},
    {"Shop.Cart.set_Item(System.Int32,System.Int32)", "Shop.Cart.set_Item(int, int)", "set_Item(int, int)",
     "Shop.Cart"},
    {"Shop.Cart.System.IDisposable.Dispose()", "Shop.Cart.System.IDisposable.Dispose()", "System.IDisposable.Dispose()",
     "Shop.Cart"},
    {"Shop.Vector.op_Addition(Shop.Vector,Shop.Vector)", "Shop.Vector.op_Addition(Vector, Vector)",
     "op_Addition(Vector, Vector)", "Shop.Vector"},
    {"Shop.Generic`1[System.Int32].Of[System.__Canon](System.Int32,System.__Canon)", "Shop.Generic<int>.Of<U>(int, U)",
     "Of<U>(int, U)", "Shop.Generic<int>"},
    // Code that is shared between all reference types shows the parameter's name.
    {"Shop.Generic`1[System.__Canon].Of[System.Int32](System.__Canon,System.Int32)", "Shop.Generic<T>.Of<int>(T, int)",
     "Of<int>(T, int)", "Shop.Generic<T>"},
    {"Shop.Generic`1+Inner`1[System.__Canon,System.Double].Deep[System.Int64](System.__Canon,System.Double,System."
     "Int64)",
     "Shop.Generic<T>.Inner<double>.Deep<long>(T, double, long)", "Deep<long>(T, double, long)",
     "Shop.Generic<T>.Inner<double>"},
    {"Shop.Generic`1+<LaterAsync>d__1`1[System.Int32,System.__Canon].MoveNext()", "Shop.Generic<int>.LaterAsync<U>(U)",
     "LaterAsync<U>(U)", "Shop.Generic<int>"},
    {"Shop.Outer+Middle+Innermost.Nested(Shop.Outer+Middle)", "Shop.Outer.Middle.Innermost.Nested(Outer.Middle)",
     "Nested(Outer.Middle)", "Shop.Outer.Middle.Innermost"},
    {"Shop.Shapes.Arrays(System.Int32[],System.Int32[,],System.String[][])",
     "Shop.Shapes.Arrays(int[], int[,], string[][])", "Arrays(int[], int[,], string[][])", "Shop.Shapes"},
    {"Shop.Shapes.References(System.Int32&,System.Int32&,System.Int32&)",
     "Shop.Shapes.References(ref int, ref int, ref int)", "References(ref int, ref int, ref int)", "Shop.Shapes"},
    {"Shop.Shapes.Pointers(System.Int32*,System.Void*,delegate*<System.Int32, System.Int64>)",
     "Shop.Shapes.Pointers(int*, void*, delegate*<int, long>)", "Pointers(int*, void*, delegate*<int, long>)",
     "Shop.Shapes"},
    {"Shop.Shapes.Wide(System.Nullable`1[System.Int32],System.Object,System.ValueTuple`2[System.Int32,System.String],"
     "System.Collections.Generic.Dictionary`2[System.String,System.Collections.Generic.List`1[Shop.Vector]])",
     "Shop.Shapes.Wide(int?, object, ValueTuple<int, string>, Dictionary<string, List<Vector>>)",
     "Wide(int?, object, ValueTuple<int, string>, Dictionary<string, List<Vector>>)", "Shop.Shapes"},
    {"<>f__AnonymousType0`2[System.__Canon,System.Int32].ToString()", "anonymous#0<Name, int>.ToString()", "ToString()",
     "anonymous#0<Name, int>"},
    {"DynamicClass.AddUp(System.Int32,System.Int32)", "[dynamic] AddUp(int, int)", "[dynamic] AddUp(int, int)", ""},
};

TEST(Names, AreThoseThatAPersonWrote) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target("zoo", {.events = "jit_done"});
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.output, "42\n42\n2\n");
  for (const Named& one : kZoo) {
    const std::string raw = "\"" + std::string(one.raw) + "\"";
    std::string line;
    for (const std::string& heard : run.heard) {
      if (heard.find(raw) != std::string::npos) line = heard;
    }
    EXPECT_FALSE(line.empty()) << one.raw << " was not compiled, or has another raw name";
    const std::string expected =
        "\"" + std::string(one.name) + "\" \"" + one.short_name + "\" " + raw + " \"" + one.klass + "\"";
    if (!line.empty()) {
      EXPECT_THAT(line, testing::HasSubstr(expected));
    }
  }
}

// The runtime reuses the id of a method that was compiled for an unloaded type.
TEST(Names, OfMethodsMadeForTypesThatComeAndGo) {
  ORIEL_NEEDS_DOTNET();
  ORIEL_ONLY_LONG();
  const TargetRun run = run_target("generations", {.arguments = "20", .events = "jit_done"});
  EXPECT_EQ(run.output, "20 of 20 gone, memory is used again\n");
  for (int i = 1; i <= 20; ++i) {
    const std::string name = "\"Maker.Make<Point" + std::to_string(i) + ">(int)\"";
    EXPECT_THAT(run.heard, testing::Contains(testing::HasSubstr(name)));
  }
}

TEST(Names, FileLocalTypesLoseTheirHash) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target("zoo", {.events = "jit_done"});
  EXPECT_THAT(run.heard, testing::Contains(testing::HasSubstr("\"FileLocal.Local()\" \"Local()\"")));
}

}  // namespace
}  // namespace oriel::test
