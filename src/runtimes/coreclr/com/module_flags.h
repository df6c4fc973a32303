// Kinds of modules, by the runtime's flags.
#pragma once

#include <cstdint>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Whether the program creates the module at run time (Reflection.Emit): it may get new types at any time, and its
// methods cannot be recompiled. False if the runtime does not say.
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
