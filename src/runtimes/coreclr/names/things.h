// The engine's records of the runtime's functions and classes, created with their images and tokens.
#pragma once

#include <functional>
#include <type_traits>
#include <vector>

#include "base/atomic_ref.h"
#include "engine/things/entities.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Whether the runtime may be asked about the record's thing while `held` exists. An unloaded thing's id may be reused.
inline bool is_there(const Held& held, const Entity& thing) {
  return !thing.unloaded.load(std::memory_order_acquire) && !(thing.runtime_id != 0 && held.is_gone(thing.runtime_id));
}
// These go with their image, which another thread may be finding out.
template <typename Member>
requires std::is_same_v<Member, oriel_class> || std::is_same_v<Member, oriel_method>
bool is_there(const Held& held, const Member& member) {
  const oriel_image* const image = AtomicRef(member.image).load(std::memory_order_acquire);
  return is_there(held, static_cast<const Entity&>(member)) &&
         (!image || is_there(held, static_cast<const Entity&>(*image)));
}

oriel_method* method_of(ProfilerInfo& info, FunctionID function);
// `image` and `token` are the class's own, if they are known already.
oriel_class* class_of_id(ProfilerInfo& info, ClassID klass, oriel_image* image = nullptr, Token token = 0);

// The runtime's facts about a function; all 0 if it does not know it.
struct FunctionFacts {
  ClassID klass = 0;
  ModuleID module = 0;
  Token token = 0;
  std::vector<ClassID> arguments;  // generic, the method's own
};
FunctionFacts function_facts(ProfilerInfo& info, FunctionID function);

// Calls visit(module) for the modules of a function's types: of its class, its generic arguments, and the types that
// these consist of.
void for_each_module(ProfilerInfo& info, const FunctionFacts& facts, const std::function<void(ModuleID)>& visit);

// Reports to the engine which images' types the record consists of. For a record whose own image became known only
// after the record was created.
void note_parts(ProfilerInfo& info, oriel_class& klass);
void note_parts(ProfilerInfo& info, oriel_method& method, const FunctionFacts& facts);

}  // namespace oriel::coreclr
