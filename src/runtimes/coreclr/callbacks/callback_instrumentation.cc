// Where the runtime lets a method's body be chosen.
#include "runtimes/coreclr/callbacks/callback.h"

namespace oriel::coreclr {

HResult Callback::JITCachedFunctionSearchStarted(FunctionID function, Bool* use) {
  return guarded([&] {
    if (adapter_->instrumenter().hears() && adapter_->instrumenter().refuses_precompiled(function)) *use = 0;
  });
}

HResult Callback::JITInlining(FunctionID, FunctionID callee, Bool* may) {
  return guarded([&] {
    if (adapter_->instrumenter().hears() && !adapter_->instrumenter().may_inline(callee)) *may = 0;
  });
}

HResult Callback::GetReJITParameters(ModuleID module, Token method, void* control) {
  return guarded(
      [&] { adapter_->instrumenter().give_rejit_body(module, method, *static_cast<FunctionControl*>(control)); });
}

HResult Callback::ReJITError(ModuleID module, Token method, FunctionID, HResult status) {
  return guarded([&] { adapter_->instrumenter().rejit_failed(module, method, status); });
}

}  // namespace oriel::coreclr
