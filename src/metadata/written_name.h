// From the names that the C# compiler makes up to those that a person wrote. Pure functions.
//
//   method <Main>b__0_1                  Main.lambda#1       the second lambda of Main
//   method <Main>g__Helper|0_0           Main.Helper         a local function
//   method <Main>$                       Main                top-level statements
//   class  <BarAsync>d__3                made of BarAsync    an async method or an iterator: a state machine
//   class  <>c, <>c__DisplayClass0_0     made of its outer   holds lambdas: a closure
//   class  <>f__AnonymousType0           anonymous#0         new { … }
//   class  <Program>F0A…__Helper         Helper              a file-local type
//
// Constructors, operators and accessors keep the names that metadata has: .ctor, op_Addition, get_Item.
#pragma once

#include <string>
#include <string_view>

namespace oriel::metadata {

// A method's name as it was written; a name that the compiler did not make up, or in a way not known here, stays.
std::string written_method_name(std::string_view name);

// The same of a type's own name, without arity. Closures and state machines stay as they are: a person never named
// them.
std::string written_type_name(std::string_view name);

// The same of a generic parameter: those of anonymous types are named after the properties, <Price>j__TPar.
std::string written_parameter_name(std::string_view name);

enum class TypeOrigin { kWritten, kClosure, kStateMachine };

// Why there is a class, told by its own name (without arity).
struct MadeType {
  TypeOrigin origin = TypeOrigin::kWritten;
  std::string method;  // kStateMachine: the method it was made of, as metadata names it
};
MadeType made_type(std::string_view name);

}  // namespace oriel::metadata
