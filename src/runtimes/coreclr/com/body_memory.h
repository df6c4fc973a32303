// Where the runtime wants to have the bodies of a module's methods.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// A copy that lives as long as the module; nullptr where there is no memory, or none for a module of this kind.
inline const uint8_t* copy_into_module(ProfilerInfo& info, ModuleID module, std::span<const uint8_t> body) {
  ComPtr<MethodMalloc> memory;
  if (failed(info.GetILFunctionBodyAllocator(module, reinterpret_cast<void**>(memory.receive()))) || !memory)
    return nullptr;
  void* const bytes = memory->Alloc(static_cast<uint32_t>(body.size()));
  if (bytes != nullptr) std::memcpy(bytes, body.data(), body.size());
  return static_cast<const uint8_t*>(bytes);
}

}  // namespace oriel::coreclr
