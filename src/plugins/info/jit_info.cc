#include "plugins/info/jit_info.h"

#include <algorithm>

namespace oriel::plugins {
MethodJitInfo::MethodJitInfo(ComPtr<MethodInfo> method, ReJITID version, HResult result, bool is_changed,
                             std::vector<IlMapEntry> map)
    : method_(std::move(method)), version_(version), result_(result), is_changed_(is_changed), map_(std::move(map)) {}

HResult MethodJitInfo::GetFunctionID(FunctionID* function) { return answer(method_->function(), function); }
HResult MethodJitInfo::GetIsRejit(Bool* value) { return answer<Bool>(version_ != 0 ? 1 : 0, value); }
HResult MethodJitInfo::GetRejitId(ReJITID* version) { return answer(version_, version); }
HResult MethodJitInfo::GetJitHR(HResult* result) { return answer(result_, result); }
HResult MethodJitInfo::GetILTransformationStatus(Bool* value) { return answer<Bool>(is_changed_ ? 1 : 0, value); }
HResult MethodJitInfo::GetModuleInfo(IModuleInfo** module) { return method_->GetModuleInfo(module); }
HResult MethodJitInfo::GetMethodToken(Token* token) { return answer(method_->token(), token); }

HResult MethodJitInfo::GetILNativeMapping(uint32_t count, IlToNativeEntry* map, uint32_t* needed) {
  if (needed == nullptr) return kPointerError;
  return method_->module()->runtime().GetILToNativeMapping2(method_->function(), version_, map == nullptr ? 0 : count,
                                                            needed, map);
}

HResult MethodJitInfo::GetILInstrumentationMap(uint32_t count, IlMapEntry* map, uint32_t* needed) {
  if (needed == nullptr) return kPointerError;
  *needed = static_cast<uint32_t>(map_.size());
  if (map != nullptr) std::copy_n(map_.begin(), std::min<size_t>(count, map_.size()), map);
  return kOk;
}

HResult MethodJitInfo::GetNativeCodeAddress(uintptr_t* address) {
  if (address == nullptr) return kPointerError;
  uint32_t found = 0;
  coreclr::CodeInfo first{};
  const HResult result = method_->module()->runtime().GetCodeInfo3(method_->function(), version_, 1, &found, &first);
  if (failed(result)) return result;
  *address = first.start;
  return kOk;
}

}  // namespace oriel::plugins
