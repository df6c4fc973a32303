// Where the runtime lets a method's body be chosen.
#include "engine/engine.h"
#include "engine/instrumentation.h"
#include "runtimes/coreclr/callback.h"
#include "runtimes/coreclr/code_regions.h"
#include "runtimes/coreclr/things.h"

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

HResult Callback::ReJITCompilationStarted(FunctionID, ReJITID, Bool) {
  return guarded([] { Instrumenter::compilation_begins(); });
}

// Native code of a version of ours: samples fall into it too.
HResult Callback::ReJITCompilationFinished(FunctionID function, ReJITID version, HResult status, Bool) {
  return guarded([&] {
    Instrumenter::compilation_ends();
    oriel_method* method = method_of(info(), function);
    if (method == nullptr || failed(status)) return;
    for (const CodeRegion& region : code_regions(info(), function, version)) {
      code_added(method, region.code.start, region.code.size);
    }
  });
}

}  // namespace oriel::coreclr
