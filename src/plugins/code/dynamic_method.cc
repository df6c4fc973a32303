// Methods that the program creates at run time, which have no metadata.
#include "plugins/info/method_info.h"
#include "runtimes/coreclr/com/wide_text.h"

namespace oriel::plugins {

ComPtr<MethodInfo> dynamic_method(coreclr::UngatedProfilerInfo& runtime, FunctionID function,
                                  std::span<const uint8_t> code, const FindModule& known) {
  ModuleID module = 0;
  const uint8_t* signature = nullptr;
  uint32_t size = 0;
  MethodInfo::Dynamic dynamic;
  dynamic.name = coreclr::wide_text([&](char16_t* buffer, uint32_t room, uint32_t* length) {
    return runtime.GetDynamicFunctionInfo(function, &module, &signature, &size, room, length, buffer);
  });
  const ComPtr<ModuleInfo> its = module != 0 ? known(module) : ComPtr<ModuleInfo>();
  if (!its) return {};
  if (signature != nullptr) dynamic.signature.assign(signature, signature + size);
  dynamic.code.assign(code.begin(), code.end());
  return make<MethodInfo>(its, function, std::move(dynamic));
}

}  // namespace oriel::plugins
