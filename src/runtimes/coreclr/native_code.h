// Where native code lies: that of a function, and how much of an image's precompiled code runs.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// All regions of all native versions (tiers, on-stack replacements) of one IL version of a function. Each region comes
// with the start address of the version it belongs to.
struct CodeRegion {
  uintptr_t version_start;
  CodeInfo code;
};
std::vector<CodeRegion> code_regions(ProfilerInfo& info, FunctionID function, ReJITID version);

// Native code from `begin` until before `end`, in bytes from the start of its version, was made of the IL from `il` on.
// cordebug.idl: COR_DEBUG_IL_TO_NATIVE_MAP.
struct IlRange {
  uint32_t il;
  uint32_t begin;
  uint32_t end;

  // Prologs, epilogs and what the compiler made up have none.
  bool has_il() const { return il < 0xfffffffd; }
};
// Of the native version that starts there; of code with probes by the map that the runtime was given with its body, in
// the order of the IL. Empty if the runtime does not tell, as of dynamic methods.
std::vector<IlRange> il_ranges(ProfilerInfo& info, uintptr_t start);

// Where those native versions start.
std::vector<uintptr_t> code_versions(ProfilerInfo& info, FunctionID function, ReJITID version);

// The region that has the address, of size 0 if none has; one byte at the address if the runtime tells no regions.
CodeInfo code_region_at(ProfilerInfo& info, FunctionID function, ReJITID version, uintptr_t address);

// Which precompiled code runs, of all that the images hold.
//
// The runtime looks up an address in an image among all functions there and, where that one's code was never used, goes
// on downwards to one whose was, without an end: below the lowest it reads what is no table any more. So it may be
// asked only about addresses above code that is known to be used.
class PrecompiledCode {
 public:
  // The runtime uses the code that an image has for this function. Any thread.
  void is_used(FunctionID function);

  // Whether code from `low` to `address` is used, at least one function's. Asks the runtime about functions where they
  // lie, each once and none that need not be asked about. Any thread that may ask.
  bool reaches(ProfilerInfo& info, uintptr_t low, uintptr_t address);

  // Asks about all: before something is unloaded.
  void settle(ProfilerInfo& info);

 private:
  bool knows(uintptr_t low, uintptr_t address) const;
  void learn(ProfilerInfo& info, FunctionID function);

  std::mutex asking_;  // guards the next
  std::set<uintptr_t> starts_;
  std::mutex waiting_lock_;  // guards the next; under no other but asking_
  std::vector<FunctionID> waiting_;
};

}  // namespace oriel::coreclr
