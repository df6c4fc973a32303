// The engine's records of the runtime's functions and classes, made with the images and token that belong to them.
#pragma once

#include <functional>
#include <vector>

#include "engine/things/entities.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Whether what the record is of may be asked about, as long as `held` lives. The id of what is gone may be another's.
inline bool is_there(const Held& held, const Entity& thing) {
  return !thing.unloaded.load(std::memory_order_acquire) && !(thing.runtime_id != 0 && held.is_gone(thing.runtime_id));
}

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

// Calls visit(module) for the modules of the types that a function is made of: of its class, its generic arguments, and
// what these are made of.
void for_each_module(ProfilerInfo& info, const FunctionFacts& facts, const std::function<void(ModuleID)>& visit);

// Tells the engine which images' types the record is made of: for a record whose own image was not known when it was
// made, once it is.
void note_parts(ProfilerInfo& info, oriel_class& klass);
void note_parts(ProfilerInfo& info, oriel_method& method, const FunctionFacts& facts);

}  // namespace oriel::coreclr
