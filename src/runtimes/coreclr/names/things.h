// The engine's records of the runtime's functions and classes, made with the images and token that belong to them.
#pragma once

#include <vector>

#include "engine/entities.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

oriel_method* method_of(ProfilerInfo& info, FunctionID function);
// `image` and `token`: the class's own, where they are known already.
oriel_class* class_of_id(ProfilerInfo& info, ClassID klass, oriel_image* image = nullptr, Token token = 0);

// What the runtime tells of a function; all 0 if it does not know it.
struct FunctionFacts {
  ClassID klass = 0;
  ModuleID module = 0;
  Token token = 0;
  std::vector<ClassID> arguments;  // generic, the method's own
};
FunctionFacts function_facts(ProfilerInfo& info, FunctionID function);

// Tells the engine which images' types the record is made of: for a record whose own image was not known when it was
// made, once it is.
void note_parts(ProfilerInfo& info, oriel_class& klass);
void note_parts(ProfilerInfo& info, oriel_method& method, const FunctionFacts& facts);

}  // namespace oriel::coreclr
