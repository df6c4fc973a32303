#include "imports/managed_name.h"

#include <gtest/gtest.h>

namespace oriel::imports {
namespace {

std::string whole(const ManagedName& name) { return name.klass + "." + name.name; }

TEST(ManagedName, IsAsInSource) {
  EXPECT_EQ(whole(managed_name("Shop.Cart", "Add", "instance void  (class Shop.Item,int32,unsigned int8&)")),
            "Shop.Cart.Add(Item, int, byte&)");
  EXPECT_EQ(whole(managed_name("Shop.Cart", ".ctor", "instance void  ()")), "Shop.Cart..ctor()");
  EXPECT_EQ(whole(managed_name("System.Collections.Generic.Dictionary`2[System.Int32,System.__Canon]", "Add",
                               "instance void  (!0,class System.Collections.Generic.List`1<!1>[])")),
            "System.Collections.Generic.Dictionary<int, System.__Canon>.Add(!0, List<!1>[])");
  EXPECT_EQ(whole(managed_name("Shop.Outer+Inner", "Run", "void  (int32[,],value class System.DateTime)")),
            "Shop.Outer.Inner.Run(int[,], DateTime)");
}

TEST(ManagedName, CompilersNamesAreThoseOfTheSource) {
  EXPECT_EQ(whole(managed_name("Shop.Program+<>c", "<Main>b__0_1", "instance void  ()")),
            "Shop.Program.Main.lambda#1()");
  const ManagedName step = managed_name("Shop.Cart+<AddAsync>d__3", "MoveNext", "instance void  ()");
  EXPECT_EQ(whole(step), "Shop.Cart.AddAsync");
  EXPECT_EQ(step.raw_name, "Shop.Cart+<AddAsync>d__3.MoveNext()");
}

TEST(ManagedName, OfDotnetTrace) {
  const auto method = method_of_trace("System.Private.CoreLib!System.Threading.Thread.Sleep(int32)");
  ASSERT_TRUE(method);
  EXPECT_EQ(method->module, "System.Private.CoreLib");
  EXPECT_EQ(whole(method->method), "System.Threading.Thread.Sleep(int)");
  const auto made = method_of_trace("Shop!System.Collections.Generic.List`1[System.Char]..ctor(int32)");
  ASSERT_TRUE(made);
  EXPECT_EQ(whole(made->method), "System.Collections.Generic.List<char>..ctor(int)");
  EXPECT_FALSE(method_of_trace("UNMANAGED_CODE_TIME"));
  EXPECT_FALSE(method_of_trace("Thread (12)!"));
  EXPECT_FALSE(method_of_trace("!"));
}

TEST(ManagedName, OfPerfMap) {
  const auto method = method_of_perf_map("float64 [Shop] Shop.Program::Burn(int32)[OptimizedTier1]");
  ASSERT_TRUE(method);
  EXPECT_EQ(method->module, "Shop");
  EXPECT_EQ(whole(method->method), "Shop.Program.Burn(int)");
  EXPECT_FALSE(method_of_perf_map("read_zero"));
  EXPECT_FALSE(method_of_perf_map("a::b(int)"));
}

TEST(ManagedName, IsSplitBeforeTheMethod) {
  const auto name = split_name("Shop.Cart<int>.Add(System.String)");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->klass, "Shop.Cart<int>");
  EXPECT_EQ(name->name, "Add(System.String)");
  EXPECT_EQ(split_name("Shop.Cart..ctor()")->klass, "Shop.Cart");
  EXPECT_FALSE(split_name("memcpy"));
}

TEST(ManagedName, AnyTextIsTaken) {
  for (const char* text : {"", "[", "]]]", "+", "`", "a`", "<>(", "::", "] ::(", "[a] b::c)(", ".(", "!!.x"}) {
    managed_name(text, text, text);
    method_of_trace(text);
    method_of_perf_map(text);
    split_name(text);
  }
}

}  // namespace
}  // namespace oriel::imports
