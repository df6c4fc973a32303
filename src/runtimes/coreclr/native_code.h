// Addresses of native code: a function's regions, and which part of an image's precompiled code is used.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/loaded_modules.h"

namespace oriel::coreclr {

// A region of a native version (tier, on-stack replacement) of one IL version of a function, with the start address of
// the version that it belongs to.
struct CodeRegion {
  uintptr_t version_start;
  CodeInfo code;
};
std::vector<CodeRegion> code_regions(ProfilerInfo& info, FunctionID function, ReJITID version);

// The native code from `begin` to before `end`, in bytes from its version's start, was made from the IL that begins at
// `il`. cordebug.idl: COR_DEBUG_IL_TO_NATIVE_MAP.
struct IlRange {
  uint32_t il;
  uint32_t begin;
  uint32_t end;

  // Prologs, epilogs and code that the compiler added have none.
  bool has_il() const { return il < 0xfffffffd; }
};
// The ranges of the native version that starts at `start`, ordered by IL offset. For code with probes they refer to the
// original IL, by the map that the runtime was given with the body. Empty if the runtime has no map, as for dynamic
// methods.
std::vector<IlRange> il_ranges(ProfilerInfo& info, uintptr_t start);

// The start addresses of these native versions.
std::vector<uintptr_t> code_versions(ProfilerInfo& info, FunctionID function, ReJITID version);

// The region that contains the address, or one of size 0 if there is none. If the runtime reports no regions, one byte
// at the address.
CodeInfo code_region_at(ProfilerInfo& info, FunctionID function, ReJITID version, uintptr_t address);

// Which of the images' precompiled code is in use.
//
// The runtime searches for an address in an image among all functions there. If the code of the function found was
// never used, it goes on downwards to one whose code was, without a bound: below the lowest it reads memory that is no
// table any more. So it may be asked only about addresses above code that is known to be used.
class PrecompiledCode {
 public:
  // The runtime uses the code that an image has for this function. Any thread.
  void is_used(FunctionID function);

  // Whether the code of at least one function between `low` and `address` is in use. Asks the runtime for functions'
  // addresses: for each function once, and only where needed. Any thread that may ask the runtime.
  bool reaches(ProfilerInfo& info, uintptr_t low, uintptr_t address);

  // The same in a program whose use of precompiled code was not reported, because Oriel was attached to it: looks for
  // such a function among those of the loaded modules, the nearest module first.
  bool search(ProfilerInfo& info, LoadedModules& modules, uintptr_t low, uintptr_t address);

  // Asks about all functions that are still waiting, before something is unloaded.
  void resolve_all(ProfilerInfo& info);

 private:
  bool search_in(ProfilerInfo& info, LoadedModules& modules, ModuleID module, uintptr_t low, uintptr_t address);
  bool knows(uintptr_t low, uintptr_t address) const;
  void learn(ProfilerInfo& info, FunctionID function);

  std::mutex asking_;  // guards the next
  std::set<uintptr_t> starts_;
  std::unordered_map<uintptr_t, uint64_t> in_vain_;  // when a page's addresses were searched for last
  std::mutex waiting_lock_;                          // guards the next; under no other but asking_
  std::vector<FunctionID> waiting_;
};

}  // namespace oriel::coreclr
