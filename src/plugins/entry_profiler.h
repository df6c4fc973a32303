// The profiler that the runtime, or Oriel, loads: calls the engine, and after it the raw profiler hooks.
#pragma once

#include <atomic>

#include "plugins/hooks/hooks.h"
#include "plugins/profiler.h"
#include "runtimes/coreclr/guests/slots.h"

namespace oriel::plugins {

// One for the process; never destroyed.
class EntryProfiler {
 public:
  HResult query(const Guid& id, void** object);
  uint32_t add_reference() { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint32_t release() { return references_.fetch_sub(1, std::memory_order_relaxed) - 1; }

  // If there are no hooks, the engine is called directly, except in callbacks whose object is pinned until all have
  // been called.
  static constexpr bool goes_straight(coreclr::CallbackSlot slot) {
    return slot != coreclr::CallbackSlot::kExceptionThrown && slot != coreclr::CallbackSlot::kExceptionCatcherEnter;
  }
  coreclr::ProfilerCallback* only() { return hooks_.empty() ? &engine_ : nullptr; }

  template <coreclr::CallbackSlot Slot, typename... Arguments>
  HResult answer(coreclr::SlotTag<Slot>, Arguments... arguments) {
    return tell<Slot>(arguments...);
  }

  // The engine itself calls the hooks in these callbacks, between plug-ins' changes and the runtime.
  HResult answer(coreclr::SlotTag<coreclr::CallbackSlot::kInitialize>, IUnknown* info) {
    return engine_.Initialize(info);
  }
  HResult answer(coreclr::SlotTag<coreclr::CallbackSlot::kInitializeForAttach>, IUnknown* info, void* data,
                 uint32_t size) {
    return engine_.InitializeForAttach(info, data, size);
  }
  HResult answer(coreclr::SlotTag<coreclr::CallbackSlot::kJITCompilationStarted>, FunctionID function, Bool safe) {
    return engine_.JITCompilationStarted(function, safe);
  }
  HResult answer(coreclr::SlotTag<coreclr::CallbackSlot::kGetReJITParameters>, ModuleID module, Token method,
                 void* control) {
    return engine_.GetReJITParameters(module, method, control);
  }

  HResult answer(coreclr::SlotTag<coreclr::CallbackSlot::kJITInlining>, FunctionID caller, FunctionID callee,
                 Bool* may) {
    const HResult result = engine_.JITInlining(caller, callee, may);
    hooks_.let_decide<coreclr::CallbackSlot::kJITInlining>(may, caller, callee);
    return result;
  }
  HResult answer(coreclr::SlotTag<coreclr::CallbackSlot::kJITCachedFunctionSearchStarted>, FunctionID function,
                 Bool* use) {
    hooks_.let_decide<coreclr::CallbackSlot::kJITCachedFunctionSearchStarted>(use, function);
    return kOk;
  }
  HResult answer(coreclr::SlotTag<coreclr::CallbackSlot::kExceptionThrown>, ObjectID exception);
  HResult answer(coreclr::SlotTag<coreclr::CallbackSlot::kExceptionCatcherEnter>, FunctionID function,
                 ObjectID exception);
  HResult answer(coreclr::SlotTag<coreclr::CallbackSlot::kLoadAsNotificationOnly>, Bool* notification_only) {
    *notification_only = 0;
    return kOk;
  }

 private:
  template <coreclr::CallbackSlot Slot, typename... Arguments>
  HResult tell(Arguments... arguments) {
    const HResult result = (engine_.*coreclr::MemberOf<Slot>::value)(arguments...);
    hooks_.tell<Slot>(arguments...);
    return result;
  }
  const void* const* const slots_ =
      coreclr::callback_slots<EntryProfiler>();  // first, in the place of the vtable's pointer
  std::atomic<uint32_t> references_{1};
  Profiler engine_;
  Hooks& hooks_ = Hooks::of_process();
};

}  // namespace oriel::plugins
