// Kinds of modules, by the runtime's flags.
#pragma once

#include <cstdint>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Whether the module has this flag of corprof.idl's COR_PRF_MODULE_FLAGS. False if the runtime does not say.
inline bool has_module_flag(ProfilerInfo& info, ModuleID module, uint32_t flag) {
  const Held held;
  const uint8_t* base = nullptr;
  AssemblyID assembly = 0;
  uint32_t length = 0, flags = 0;
  const HResult told = info.GetModuleInfo2(held, module, &base, 0, &length, nullptr, &assembly, &flags);
  return succeeded(told) && (flags & flag) != 0;
}

// Whether the program creates the module at run time (Reflection.Emit): it may get new types at any time, and its
// methods cannot be recompiled.
inline bool is_made_by_program(ProfilerInfo& info, ModuleID module) { return has_module_flag(info, module, 0x4); }

// Whether the module may be unloaded before the process ends.
inline bool can_be_unloaded(ProfilerInfo& info, ModuleID module) { return has_module_flag(info, module, 0x8); }

}  // namespace oriel::coreclr
