// What the runtime tells of kinds of modules.
#pragma once

#include <cstdint>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// The program makes the module as it runs (Reflection.Emit): it may get any types later, and no method of it is
// compiled anew. False where the runtime does not tell.
inline bool is_made_by_program(ProfilerInfo& info, ModuleID module) {
  constexpr uint32_t kDynamic = 0x4;  // corprof.idl: COR_PRF_MODULE_DYNAMIC
  const Held held;
  const uint8_t* base = nullptr;
  AssemblyID assembly = 0;
  uint32_t length = 0, flags = 0;
  const HResult told = info.GetModuleInfo2(held, module, &base, 0, &length, nullptr, &assembly, &flags);
  return succeeded(told) && (flags & kDynamic) != 0;
}

}  // namespace oriel::coreclr
