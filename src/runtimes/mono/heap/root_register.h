// The memory in which Mono's collector looks for references, as Mono tells of it, from the start on: which memory it
// is, and whose.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

struct RegisteredRoot {
  uintptr_t bytes = 0;
  RootSource source = RootSource::kExternal;
  uintptr_t key = 0;  // by the source: a MonoVTable, a thread
  std::string name;   // as Mono calls it: "Static Fields"
};

// Whether what it refers to is not moved: Mono looks through stacks conservatively.
bool is_pinning(const RegisteredRoot& root);

// By address.
using RootRegister = std::map<uintptr_t, RegisteredRoot>;

// What is registered now. Not while the program is stopped.
RootRegister registered_roots();

// The one with this address; nullptr if there is none.
const RegisteredRoot* root_at(const RootRegister& all, uintptr_t address);

// The same for the thread that has stopped the program. A stopped thread may be at changing the register: then nothing
// is known.
class RootsWhileStopped {
 public:
  RootsWhileStopped();
  const RegisteredRoot* at(uintptr_t address) const;

 private:
  std::unique_lock<std::mutex> guard_;
};

// Before Mono's collector starts.
void hear_of_roots(MonoProfilerDesc* profiler);

}  // namespace oriel::mono
