// The runtime's callbacks. Each one turns the runtime's ids into the engine's records and raises the engine's event;
// callback_THEME.cc has them by theme. They always return S_OK, so that Oriel never changes what the program does.
#pragma once

#include <atomic>
#include <vector>

#include "base/process/attach_data.h"
#include "engine/chosen_messages.h"
#include "runtimes/coreclr/adapter.h"
#include "runtimes/coreclr/callbacks/callback_gc.h"
#include "runtimes/coreclr/callbacks/callback_jit.h"
#include "runtimes/coreclr/callbacks/callback_threads.h"
#include "runtimes/coreclr/callbacks/event_sources.h"
#include "runtimes/coreclr/callbacks/heap_sizes.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Runs a callback's body. An exception (out of memory) ends the body, not the program.
template <typename Body>
HResult guarded(Body body) noexcept {
  try {
    const InCallback here;
    body();
  } catch (...) {
  }
  return kOk;
}

class Callback final : public ProfilerCallback {
 public:
  // `other_profilers` must live as long as the process.
  explicit Callback(OtherProfilers& other_profilers) : other_profilers_(other_profilers) {}
  // When the runtime has let go of it, and the engine of the adapter.
  ~Callback() { delete adapter_; }
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;

  HResult QueryInterface(const Guid& id, void** object) override;
  uint32_t AddRef() override;
  uint32_t Release() override;

  // A guest has replaced a method's default body, so Oriel's changes are applied on top again. Any thread.
  void default_changed(const MethodKey& key);
  // A session to a managed event source is about to begin. Any thread.
  void on_managed_session();

  // callback.cc: begin and end
  HResult Initialize(IUnknown* info) override;
  HResult Shutdown() override;
  HResult LoadAsNotificationOnly(Bool* notification_only) override;
  HResult InitializeForAttach(IUnknown* info, void* data, uint32_t size) override;
  HResult ProfilerAttachComplete() override;
  HResult ProfilerDetachSucceeded() override;

  // callback_loads.cc
  HResult AppDomainCreationStarted(AppDomainID domain) override;
  HResult AppDomainCreationFinished(AppDomainID domain, HResult status) override;
  HResult AppDomainShutdownStarted(AppDomainID domain) override;
  HResult AppDomainShutdownFinished(AppDomainID domain, HResult status) override;
  HResult AssemblyLoadStarted(AssemblyID assembly) override;
  HResult AssemblyLoadFinished(AssemblyID assembly, HResult status) override;
  HResult AssemblyUnloadStarted(AssemblyID assembly) override;
  HResult AssemblyUnloadFinished(AssemblyID assembly, HResult status) override;
  HResult ModuleLoadStarted(ModuleID module) override;
  HResult ModuleLoadFinished(ModuleID module, HResult status) override;
  HResult ModuleUnloadStarted(ModuleID module) override;
  HResult ModuleUnloadFinished(ModuleID module, HResult status) override;
  HResult ModuleAttachedToAssembly(ModuleID module, AssemblyID assembly) override;
  HResult ClassLoadStarted(ClassID klass) override;
  HResult ClassLoadFinished(ClassID klass, HResult status) override;
  HResult ClassUnloadStarted(ClassID klass) override;
  HResult ClassUnloadFinished(ClassID klass, HResult status) override;

  // callback_jit.cc
  HResult JITCompilationStarted(FunctionID function, Bool safe_to_block) override;
  HResult JITCompilationFinished(FunctionID function, HResult status, Bool safe_to_block) override;
  HResult ReJITCompilationStarted(FunctionID function, ReJITID version, Bool safe_to_block) override;
  HResult ReJITCompilationFinished(FunctionID function, ReJITID version, HResult status, Bool safe_to_block) override;
  HResult DynamicMethodJITCompilationStarted(FunctionID function, Bool safe_to_block, const uint8_t* il,
                                             uint32_t il_size) override;
  HResult DynamicMethodJITCompilationFinished(FunctionID function, HResult status, Bool safe_to_block) override;
  HResult DynamicMethodUnloaded(FunctionID function) override;
  HResult JITCachedFunctionSearchStarted(FunctionID function, Bool* use) override;
  HResult JITCachedFunctionSearchFinished(FunctionID function, uint32_t result) override;
  HResult JITInlining(FunctionID caller, FunctionID callee, Bool* may) override;
  HResult GetReJITParameters(ModuleID module, Token method, void* control) override;
  HResult ReJITError(ModuleID module, Token method, FunctionID function, HResult status) override;

  // callback_threads.cc
  HResult ThreadAssignedToOSThread(ThreadID thread, uint32_t os_thread) override;
  HResult ThreadNameChanged(ThreadID thread, uint32_t length, char16_t* name) override;
  HResult ThreadDestroyed(ThreadID thread) override;

  // callback_gc.cc
  HResult GarbageCollectionStarted(int32_t generations, Bool* collected, uint32_t reason) override;
  HResult GarbageCollectionFinished() override;
  // callback_heap.cc
  HResult MovedReferences2(uint32_t count, ObjectID* from, ObjectID* to, size_t* sizes) override;
  HResult RootReferences2(uint32_t count, ObjectID* objects, uint32_t* kinds, uint32_t* flags, uintptr_t* ids) override;
  HResult HandleCreated(uintptr_t handle, ObjectID object) override;
  HResult HandleDestroyed(uintptr_t handle) override;
  HResult FinalizeableObjectQueued(uint32_t flags, ObjectID object) override;

  // callback_gc.cc: suspensions
  HResult RuntimeSuspendStarted(uint32_t reason) override;
  HResult RuntimeSuspendFinished() override;
  HResult RuntimeSuspendAborted() override;
  HResult RuntimeResumeStarted() override;
  HResult RuntimeResumeFinished() override;

  // event_pipe.cc
  HResult EventPipeEventDelivered(uintptr_t provider, uint32_t event, uint32_t version, uint32_t metadata_size,
                                  const uint8_t* metadata, uint32_t size, const uint8_t* fields, const Guid* activity,
                                  const Guid* related, ThreadID thread, uint32_t frames, uintptr_t* stack) override;

  // callback_exceptions.cc
  HResult ExceptionThrown(ObjectID exception) override;
  HResult ExceptionSearchFilterEnter(FunctionID function) override;
  HResult ExceptionUnwindFunctionEnter(FunctionID function) override;
  HResult ExceptionUnwindFunctionLeave() override;
  HResult ExceptionUnwindFinallyEnter(FunctionID function) override;
  HResult ExceptionCatcherEnter(FunctionID function, ObjectID exception) override;

 private:
  HResult initialize(IUnknown* info);
  bool attach(IUnknown* info, const AttachData& data);
  HResult clause_entered(FunctionID function, oriel_clause_kind kind);
  void raise_message(oriel_object* exception);
  void raise_heap(uint32_t collection);
  void raise_followed(uint32_t generation);
  void raise_clause(FunctionID function, oriel_clause_kind kind, ObjectID exception);
  bool reports_code() const;
  bool had_code_before_attach(FunctionID function) const;
  void compilation_of(FunctionID function, oriel_method* method);
  void code_done(FunctionID function, ReJITID version, HResult status);
  ProfilerInfo& info() const { return adapter_->info(); }

  OtherProfilers& other_profilers_;
  std::atomic<uint32_t> references_{1};
  Adapter* adapter_ = nullptr;  // set by Initialize or InitializeForAttach; no other callback comes before
  std::atomic<bool> initialized_raised_{false};
  JitState jit_;
  EventSources event_sources_;
  ChosenMessages exception_messages_;
  std::vector<GenerationRange> heap_parts_;  // used while the program is suspended
  GcState gc_;
  ThreadNames thread_names_;
};

}  // namespace oriel::coreclr
