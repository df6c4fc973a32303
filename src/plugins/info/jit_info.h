// A compiled method, for plug-ins.
#pragma once

#include <vector>

#include "oriel/plugins/program.h"
#include "plugins/info/method_info.h"

namespace oriel::plugins {

class MethodJitInfo final : public Object<IMethodJitInfo2> {
 public:
  // `map` is the offset map of its changes; empty if nothing was changed.
  MethodJitInfo(ComPtr<MethodInfo> method, ReJITID version, HResult result, bool is_changed,
                std::vector<IlMapEntry> map);

  HResult GetFunctionID(FunctionID* function) override;
  HResult GetIsRejit(Bool* value) override;
  HResult GetRejitId(ReJITID* version) override;
  HResult GetJitHR(HResult* result) override;
  HResult GetILTransformationStatus(Bool* value) override;
  HResult GetModuleInfo(IModuleInfo** module) override;
  HResult GetILNativeMapping(uint32_t count, IlToNativeEntry* map, uint32_t* needed) override;
  HResult GetILInstrumentationMap(uint32_t count, IlMapEntry* map, uint32_t* needed) override;
  HResult GetMethodToken(Token* token) override;
  HResult GetNativeCodeAddress(uintptr_t* address) override;

 private:
  const ComPtr<MethodInfo> method_;
  const ReJITID version_;
  const HResult result_;
  const bool is_changed_;
  const std::vector<IlMapEntry> map_;
};

}  // namespace oriel::plugins
