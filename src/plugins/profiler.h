// The profiler callbacks: passes them to the plug-ins that want them.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "plugins/engine.h"
#include "plugins/instrument.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::plugins {

// One for the process; never destroyed.
class Profiler final : public coreclr::ProfilerCallback {
 public:
  HResult QueryInterface(const Guid& id, void** object) override;
  uint32_t AddRef() override { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint32_t Release() override { return references_.fetch_sub(1, std::memory_order_relaxed) - 1; }

  HResult Initialize(IUnknown* info) override;
  HResult InitializeForAttach(IUnknown* info, void* data, uint32_t size) override;
  HResult ProfilerAttachComplete() override;
  HResult Shutdown() override;

  HResult AppDomainCreationStarted(AppDomainID id) override;
  HResult AppDomainCreationFinished(AppDomainID id, HResult status) override;
  HResult AppDomainShutdownFinished(AppDomainID id, HResult status) override;
  HResult AssemblyLoadFinished(AssemblyID id, HResult status) override;
  HResult AssemblyUnloadFinished(AssemblyID id, HResult status) override;
  HResult ModuleAttachedToAssembly(ModuleID module, AssemblyID assembly) override;
  HResult ModuleUnloadStarted(ModuleID id) override;
  HResult ModuleUnloadFinished(ModuleID id, HResult status) override;

  HResult JITCompilationStarted(FunctionID function, Bool safe) override;
  HResult JITCompilationFinished(FunctionID function, HResult status, Bool safe) override;
  HResult JITInlining(FunctionID caller, FunctionID callee, Bool* may) override;
  HResult DynamicMethodJITCompilationStarted(FunctionID function, Bool safe, const uint8_t* code,
                                             uint32_t size) override;
  HResult DynamicMethodJITCompilationFinished(FunctionID function, HResult status, Bool safe) override;
  HResult GetReJITParameters(ModuleID module, Token method, void* control) override;
  HResult ReJITCompilationStarted(FunctionID function, ReJITID version, Bool safe) override;
  HResult ReJITCompilationFinished(FunctionID function, ReJITID version, HResult status, Bool safe) override;

  HResult ExceptionThrown(ObjectID object) override;
  HResult ExceptionSearchFunctionEnter(FunctionID function) override;
  HResult ExceptionSearchFunctionLeave() override;
  HResult ExceptionSearchFilterEnter(FunctionID function) override;
  HResult ExceptionSearchFilterLeave() override;
  HResult ExceptionSearchCatcherFound(FunctionID function) override;
  HResult ExceptionUnwindFunctionEnter(FunctionID function) override;
  HResult ExceptionUnwindFunctionLeave() override;
  HResult ExceptionUnwindFinallyEnter(FunctionID function) override;
  HResult ExceptionUnwindFinallyLeave() override;
  HResult ExceptionCatcherEnter(FunctionID function, ObjectID object) override;
  HResult ExceptionCatcherLeave() override;

  // Valid after Initialize.
  coreclr::ProfilerInfo& runtime() const { return coreclr::ProfilerInfo::of(engine_->runtime()); }
  // See coreclr/exceptions_in_flight.h and object_pins.h. Determined once, because exceptions may be frequent.
  bool leaves_exceptions_unprotected() const { return leaves_exceptions_unprotected_; }
  bool has_pins() const { return has_pins_; }

 private:
  HResult begin(IUnknown* info);
  HResult begin_attached(IUnknown* info, std::string_view xml);
  bool make_engine(IUnknown* info, bool is_attach);
  HResult run(bool is_attach);
  void learn_what_is_loaded();
  ComPtr<ModuleInfo> learn_module(ModuleID id, AssemblyID assembly);
  void started(FunctionID function, bool is_rejit);
  void compiled(FunctionID function, ReJITID version, HResult status);
  // Calls the plug-ins that implement the exception events.
  HResult tell(const char* what, const std::function<HResult(IInstrumentationMethodExceptionEvents&)>& act);
  HResult tell_of(const char* what, FunctionID function,
                  const std::function<HResult(IInstrumentationMethodExceptionEvents&, IMethodInfo*)>& act);

  std::atomic<uint32_t> references_{1};
  // Created in Initialize, before any other callback; never freed.
  Engine* engine_ = nullptr;
  Instrumenter* instrumenter_ = nullptr;
  bool leaves_exceptions_unprotected_ = false;
  bool has_pins_ = false;
};

}  // namespace oriel::plugins
