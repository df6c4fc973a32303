// The memory in which Mono's collector looks for references, as Mono tells of it, from the start on: which memory it
// is, and whose.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

struct RegisteredRoot {
  uintptr_t bytes = 0;
  RootSource source = RootSource::kExternal;
  uintptr_t key = 0;  // by the source: a MonoVTable, a thread
  std::string name;   // as Mono calls it: "Static Fields"
};

// By address.
using RootRegister = std::map<uintptr_t, RegisteredRoot>;

// What is registered now. Not while the program is stopped.
RootRegister registered_roots();

// The one with this address; nullptr if there is none.
const RegisteredRoot* root_at(const RootRegister& all, uintptr_t address);

// Before Mono's collector starts.
void hear_of_roots(MonoProfilerDesc* profiler);

}  // namespace oriel::mono
