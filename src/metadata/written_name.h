// Maps the names that the compilers of C#, VB and F# generate to those in the source. Pure functions.
//
//   method <Main>b__0_1                  Main.lambda#1       the second lambda of Main
//   method <Main>g__Helper|0_0           Main.Helper         a local function
//   method <Main>$                       Main                top-level statements
//   class  <BarAsync>d__3                made of BarAsync    an async method or an iterator: a state machine
//   class  <>c, <>c__DisplayClass0_0     made of its outer   holds lambdas: a closure
//   class  <>f__AnonymousType0           anonymous#0         new { … }
//   class  <Program>F0A…__Helper         Helper              a file-local type
//
//   Mono's mcs: method <Main>m__1        Main.lambda#1
//       class  <Main>c__AnonStorey0      made of its outer; in it, <>m__1 is Main.lambda#0-1
//       class  <BarAsync>c__async0, <Items>c__Iterator0      a state machine
//   VB: method _Lambda$__5-1             lambda#5-1          lambda 1 of its class's method 5, whose name is unknown
//       class  _Closure$__5-0            made of its outer   in it, lambda 1 is _Lambda$__1
//       class  VB$StateMachine_3_BarAsync, VB$StateMachine___Lambda$__1        made of BarAsync, of a lambda
//       class  VB$AnonymousType_0        anonymous#0
//   F#: class  sum@10-1                  sum.lambda@10-1     its Invoke is a lambda in line 10, where sum is defined
//              clo@10, Pipe #1 input at line 9@10            lambda@10
//              sum@10 with MoveNext or GenerateNext          made of sum: a task or a sequence
//
// Constructors, operators and accessors keep their metadata names: .ctor, op_Addition, get_Item.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace oriel::metadata {

// A method's name in the source; names of unknown form stay.
std::string source_method_name(std::string_view name);

// Likewise for a field: <Entries>k__BackingField is that of the property Entries.
std::string source_field_name(const std::string& name);

// Likewise for a type's own name, without arity. Closures and state machines keep theirs, as they have none in the
// source.
std::string source_type_name(std::string_view name);

// Likewise for a generic parameter: those of anonymous types are named after the properties, <Price>j__TPar.
std::string written_parameter_name(std::string_view name);

enum class TypeOrigin { kWritten, kClosure, kLambda, kStateMachine };

// The origin of a class, from its own name (without arity) and that of the method in question.
struct MadeType {
  TypeOrigin origin = TypeOrigin::kWritten;
  // kStateMachine: the metadata name of the method it was made of. kLambda: the name of its method in the source.
  // kClosure: in VB, the number of the method it was made of; by mcs, that method's name and the closure's number,
  // "<Main>0". Lambdas in it only have their own number.
  std::string method;
};
MadeType made_type(std::string_view name, std::string_view method);

// Whether this method of a state machine runs the original method's code.
bool runs_state_machine(std::string_view method);

// Inserts a closure's number before that of the lambda in it: "lambda#1" and VB's "5" give "lambda#5-1", and mcs's
// "<Main>5" gives "Main.lambda#5-1". Other names stay.
std::string numbered_lambda(const std::string& name, const std::string& method);

// From a class that a compiler made to the one around it.
struct StepOut {
  std::string name;                    // of the method in the source, as far as is known there
  std::optional<std::string> kickoff;  // the metadata name of the method that a state machine was made of
  std::string suffix;                  // of a state machine's method that does not run its code: ".get_Current"
};
// What is known of a method, whose metadata name is `method`, outside of a class of that metadata name, inside of which
// it was called `name`. nullopt: the class, or the method in it, is one of the source.
std::optional<StepOut> step_out(const std::string& class_name, const std::string& method, const std::string& name);

}  // namespace oriel::metadata
