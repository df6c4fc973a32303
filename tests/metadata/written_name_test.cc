// Names that the compiler makes up, and what a person wrote.
#include "metadata/written_name.h"

#include <gtest/gtest.h>

namespace oriel::metadata {
namespace {

struct Case {
  const char* made;
  const char* written;
};

TEST(WrittenName, Methods) {
  constexpr Case kCases[] = {
      {"Add", "Add"},
      {".ctor", ".ctor"},
      {"get_Item", "get_Item"},
      {"op_Addition", "op_Addition"},
      {"System.IDisposable.Dispose", "System.IDisposable.Dispose"},
      {"<Main>$", "Main"},
      {"<Main>", "Main"},
      {"<Main>b__0_1", "Main.lambda#1"},
      {"<Lambdas>b__2", "Lambdas.lambda#2"},
      {"<.ctor>b__3_0", ".ctor.lambda#0"},
      {"<<Main>$>b__0_12", "Main.lambda#12"},
      {"<Main>g__Helper|0_0", "Main.Helper"},
      {"<<Main>$>g__Helper|0_3", "Main.Helper"},
      {"<Shop.ICart<System.Int32>.Add>b__1_0", "Shop.ICart<System.Int32>.Add.lambda#0"},
      {"<Clone>$", "Clone"},
      {"<>m__Finally1", "finally#1"},
      {"<Main>m__1", "Main.lambda#1"},
      {"<>m__0", "lambda#0"},
      {"_Lambda$__8-0", "lambda#8-0"},
      {"_Lambda$__1", "lambda#1"},
      {"_Lambda$__R5-1", "lambda#R5-1"},
      {"loop@53", "loop@53"},
  };
  for (const Case& one : kCases) EXPECT_EQ(source_method_name(one.made), one.written) << one.made;
}

TEST(WrittenName, WhatIsNotKnownStays) {
  for (const char* name : {"", "<", "<>", "<Main", "<Add>", "<Main>x__1", "<Main>b__", "<Main>g__", "<Main>g__|0_0",
                           ">Main<", "<>n__0", "<a>b", "_Lambda$__"}) {
    EXPECT_EQ(source_method_name(name), name);
  }
}

TEST(WrittenName, Types) {
  constexpr Case kCases[] = {
      {"Cart", "Cart"},
      {"<>f__AnonymousType0", "anonymous#0"},
      {"VB$AnonymousType_0", "anonymous#0"},
      {"<Program>F97B30636717304A0EE1FBDB75243B8F65B531E2BE9378CDDAB3825CB0A5BC6E1__FileLocal", "FileLocal"},
      {"<Program>F97__Short", "<Program>F97__Short"},
      {"<>c", "<>c"},
      {"<>c__DisplayClass0_0", "<>c__DisplayClass0_0"},
      {"<AddAsync>d__3", "<AddAsync>d__3"},
      {"<PrivateImplementationDetails>", "<PrivateImplementationDetails>"},
      {"<Module>", "<Module>"},
  };
  for (const Case& one : kCases) EXPECT_EQ(source_type_name(one.made), one.written) << one.made;
}

TEST(WrittenName, GenericParameters) {
  EXPECT_EQ(written_parameter_name("<Price>j__TPar"), "Price");
  EXPECT_EQ(written_parameter_name("TSource"), "TSource");
}

struct Made {
  const char* type;
  TypeOrigin origin;
  const char* method;
};

TEST(WrittenName, WhyThereIsAType) {
  constexpr Made kCases[] = {
      {"Cart", TypeOrigin::kWritten, ""},
      {"", TypeOrigin::kWritten, ""},
      {"<Module>", TypeOrigin::kWritten, ""},
      {"<>f__AnonymousType0", TypeOrigin::kWritten, ""},
      {"<PrivateImplementationDetails>", TypeOrigin::kWritten, ""},
      {"<>c", TypeOrigin::kClosure, ""},
      {"<>c__DisplayClass3_1", TypeOrigin::kClosure, ""},
      {"<>c__3", TypeOrigin::kClosure, ""},
      {"<AddAsync>d__3", TypeOrigin::kStateMachine, "AddAsync"},
      {"<<Main>b__0_0>d", TypeOrigin::kStateMachine, "<Main>b__0_0"},
      {"<<Main>$>d__0", TypeOrigin::kStateMachine, "<Main>$"},
      {"<<Main>g__Inside|0_1>d", TypeOrigin::kStateMachine, "<Main>g__Inside|0_1"},
      {"VB$StateMachine_3_AddAsync", TypeOrigin::kStateMachine, "AddAsync"},
      {"VB$StateMachine_", TypeOrigin::kWritten, ""},
      {"VB$StateMachine_3_", TypeOrigin::kWritten, ""},
      {"VB$StateMachine___Lambda$__5-6", TypeOrigin::kStateMachine, "_Lambda$__5-6"},
      {"VB$StateMachine__Add", TypeOrigin::kWritten, ""},
      {"_Closure$__1-0", TypeOrigin::kClosure, "1"},
      {"_Closure$__", TypeOrigin::kClosure, ""},
      {"fetchTask@22", TypeOrigin::kStateMachine, "fetchTask"},
  };
  for (const Made& one : kCases) {
    const MadeType made = made_type(one.type, "MoveNext");
    EXPECT_EQ(made.origin, one.origin) << one.type;
    EXPECT_EQ(made.method, one.method) << one.type;
  }
}

TEST(WrittenName, TypesOfMonosCompiler) {
  EXPECT_EQ(made_type("<Main>c__AnonStorey0", "<>m__0").origin, TypeOrigin::kClosure);
  EXPECT_EQ(numbered_lambda("lambda#0", made_type("<Main>c__AnonStorey0", "<>m__0").method), "Main.lambda#0-0");
  EXPECT_EQ(numbered_lambda("lambda#1", made_type("<<Add>m__2>c__AnonStorey3", "<>m__1").method),
            "Add.lambda#2.lambda#3-1");
  for (const char* name : {"<Add>c__async0", "<Add>c__Iterator1"}) {
    EXPECT_EQ(made_type(name, "MoveNext").origin, TypeOrigin::kStateMachine);
    EXPECT_EQ(made_type(name, "MoveNext").method, "Add");
  }
}

TEST(WrittenName, ClosuresOfFSharp) {
  constexpr Case kCases[] = {
      {"sumOf@10", "sumOf.lambda@10"},
      {"sumOf@10-1", "sumOf.lambda@10-1"},
      {"clo@12-3", "lambda@12-3"},
      {"Pipe #1 input at line 5@6", "lambda@6"},
      {"Pipe #2 stage #1 at line 34@34-1", "lambda@34-1"},
  };
  for (const Case& one : kCases) {
    const MadeType made = made_type(one.made, "Invoke");
    EXPECT_EQ(made.origin, TypeOrigin::kLambda) << one.made;
    EXPECT_EQ(made.method, one.written) << one.made;
    EXPECT_EQ(made_type(one.made, ".ctor").origin, TypeOrigin::kWritten) << one.made;
    EXPECT_EQ(made_type(one.made, "System.IDisposable.Dispose").origin, TypeOrigin::kWritten) << one.made;
  }
  for (const char* name : {"@5", "a@", "a@b", "a@5-", "a@5-b", "a@5b", "a@-1", "<a>@5"})
    EXPECT_EQ(made_type(name, "Invoke").origin, TypeOrigin::kWritten) << name;
  EXPECT_EQ(made_type("numbers@14", "GenerateNext").method, "numbers");
}

TEST(WrittenName, LambdasOfVbClosuresHaveTheirMethodsNumber) {
  EXPECT_EQ(numbered_lambda("lambda#1", "5"), "lambda#5-1");
  EXPECT_EQ(numbered_lambda("lambda#5-3", "5"), "lambda#5-3");
  EXPECT_EQ(numbered_lambda("lambda#1", ""), "lambda#1");
  EXPECT_EQ(numbered_lambda("Main.lambda#1", "5"), "Main.lambda#1");
}

}  // namespace
}  // namespace oriel::metadata
