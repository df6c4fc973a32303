// The memory in which the runtime wants a module's method bodies.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// A copy that lives as long as the module; nullptr if there is no memory, or none for this kind of module.
inline const uint8_t* copy_into_module(UngatedProfilerInfo& info, ModuleID module, std::span<const uint8_t> body) {
  ComPtr<MethodMalloc> memory;
  if (failed(info.GetILFunctionBodyAllocator(module, reinterpret_cast<void**>(memory.receive()))) || !memory)
    return nullptr;
  void* const bytes = memory->Alloc(static_cast<uint32_t>(body.size()));
  if (bytes != nullptr) std::memcpy(bytes, body.data(), body.size());
  return static_cast<const uint8_t*>(bytes);
}
// Like the above; nullptr also if the module is gone.
inline const uint8_t* copy_into_module(const Held& held, ProfilerInfo& info, ModuleID module,
                                       std::span<const uint8_t> body) {
  return held.is_gone(module) ? nullptr : copy_into_module(info.at_own_risk(), module, body);
}

}  // namespace oriel::coreclr
