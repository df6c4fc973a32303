#include "plugins/body_memory.h"

#include <cstring>

namespace oriel::plugins {

const uint8_t* copy_into_module(coreclr::ProfilerInfo& runtime, coreclr::ModuleID module,
                                std::span<const uint8_t> body) {
  coreclr::ComPtr<coreclr::MethodMalloc> memory;
  auto** slot = reinterpret_cast<void**>(memory.receive());
  if (coreclr::failed(runtime.GetILFunctionBodyAllocator(module, slot)) || !memory) return nullptr;
  void* bytes = memory->Alloc(static_cast<uint32_t>(body.size()));
  if (bytes != nullptr) std::memcpy(bytes, body.data(), body.size());
  return static_cast<const uint8_t*>(bytes);
}

}  // namespace oriel::plugins
