// The one profiler that the runtime knows if the process has several. Passes each callback to all guests that enabled
// it, and combines their answers. callback_rules.def has the rules.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "base/process/guest_list.h"
#include "runtimes/coreclr/guests/guest_host.h"

namespace oriel::coreclr {

class GuestLoader;

class Switchboard {
 public:
  // `guests`: in their order; Oriel comes last. None: only Oriel, until a guest is added.
  explicit Switchboard(std::vector<GuestSpec> guests) : wanted_(std::move(guests)) {}

  // After is_released, and then with the guests that it has made.
  ~Switchboard();
  Switchboard(const Switchboard&) = delete;
  Switchboard& operator=(const Switchboard&) = delete;

  // For guests that exist already.
  explicit Switchboard(GuestHost& guest_host) : guest_host_(&guest_host) {}

  ProfilerCallback* interface() { return reinterpret_cast<ProfilerCallback*>(this); }

  HResult query(const Guid& id, void** object);
  // Counted as COM requires but not freed by the last release: threads may be in a callback while the process exits.
  uint32_t add_reference() { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint32_t release() { return references_.fetch_sub(1, std::memory_order_relaxed) - 1; }
  // Nobody but who made it has it.
  bool is_released() const { return references_.load(std::memory_order_relaxed) == 1; }

  // While Oriel is alone, it is called directly, except in the slot that drops data kept by a module's id.
  static constexpr bool goes_straight(CallbackSlot slot) { return slot != CallbackSlot::kModuleUnloadFinished; }
  ProfilerCallback* only() const {
    return guest_host_ != nullptr ? guest_host_->only.load(std::memory_order_acquire) : nullptr;
  }

  template <CallbackSlot Slot, typename... Arguments>
  HResult answer(SlotTag<Slot>, Arguments... arguments) {
    return tell<Slot>(arguments...);
  }

  HResult answer(SlotTag<CallbackSlot::kInitialize>, IUnknown* info);
  HResult answer(SlotTag<CallbackSlot::kInitializeForAttach>, IUnknown* info, void* data, uint32_t size);
  HResult answer(SlotTag<CallbackSlot::kProfilerAttachComplete>) { return kOk; }
  HResult answer(SlotTag<CallbackSlot::kProfilerDetachSucceeded>) { return kOk; }
  HResult answer(SlotTag<CallbackSlot::kLoadAsNotificationOnly>, Bool* notification_only);

  HResult answer(SlotTag<CallbackSlot::kJITCompilationStarted>, FunctionID function, Bool safe);
  HResult answer(SlotTag<CallbackSlot::kJITCompilationFinished>, FunctionID function, HResult status, Bool safe);
  HResult answer(SlotTag<CallbackSlot::kJITInlining>, FunctionID caller, FunctionID callee, Bool* may);
  HResult answer(SlotTag<CallbackSlot::kJITCachedFunctionSearchStarted>, FunctionID function, Bool* use);
  HResult answer(SlotTag<CallbackSlot::kModuleUnloadFinished>, ModuleID module, HResult status);
  HResult answer(SlotTag<CallbackSlot::kObjectAllocated>, ObjectID object, ClassID klass);
  HResult answer(SlotTag<CallbackSlot::kExceptionThrown>, ObjectID exception);
  HResult answer(SlotTag<CallbackSlot::kExceptionCatcherEnter>, FunctionID function, ObjectID exception);
  HResult answer(SlotTag<CallbackSlot::kHandleCreated>, uintptr_t handle, ObjectID object);
  HResult answer(SlotTag<CallbackSlot::kHandleDestroyed>, uintptr_t handle);

  HResult answer(SlotTag<CallbackSlot::kGarbageCollectionStarted>, int32_t count, Bool* generations, uint32_t reason);
  HResult answer(SlotTag<CallbackSlot::kGarbageCollectionFinished>);
  HResult answer(SlotTag<CallbackSlot::kObjectReferences>, ObjectID object, ClassID klass, uint32_t count,
                 ObjectID* references);
  HResult answer(SlotTag<CallbackSlot::kMovedReferences2>, uint32_t count, ObjectID* from, ObjectID* to, size_t* sizes);
  HResult answer(SlotTag<CallbackSlot::kSurvivingReferences2>, uint32_t count, ObjectID* objects, size_t* sizes);
  HResult answer(SlotTag<CallbackSlot::kRootReferences2>, uint32_t count, ObjectID* objects, uint32_t* kinds,
                 uint32_t* flags, uintptr_t* ids);
  HResult answer(SlotTag<CallbackSlot::kMovedReferences>, uint32_t, ObjectID*, ObjectID*, uint32_t*) { return kOk; }
  HResult answer(SlotTag<CallbackSlot::kSurvivingReferences>, uint32_t, ObjectID*, uint32_t*) { return kOk; }
  HResult answer(SlotTag<CallbackSlot::kRootReferences>, uint32_t, ObjectID*) { return kOk; }

  HResult answer(SlotTag<CallbackSlot::kGetReJITParameters>, ModuleID module, Token method, void* control);
  HResult answer(SlotTag<CallbackSlot::kReJITCompilationStarted>, FunctionID function, ReJITID version, Bool safe);
  HResult answer(SlotTag<CallbackSlot::kReJITCompilationFinished>, FunctionID function, ReJITID version, HResult status,
                 Bool safe);
  HResult answer(SlotTag<CallbackSlot::kReJITError>, ModuleID module, Token method, FunctionID function,
                 HResult status);

  HResult answer(SlotTag<CallbackSlot::kEventPipeEventDelivered>, uintptr_t provider, uint32_t event, uint32_t version,
                 uint32_t metadata_size, const uint8_t* metadata, uint32_t size, const uint8_t* fields,
                 const Guid* activity, const Guid* related, ThreadID thread, uint32_t frames, uintptr_t* stack);
  HResult answer(SlotTag<CallbackSlot::kEventPipeProviderCreated>, uintptr_t provider);

 private:
  void make_host(ComPtr<ProfilerInfo> newest);

  // Calls all guests that enabled it.
  template <CallbackSlot Slot, typename... Arguments>
  HResult tell(Arguments... arguments) {
    for (Guest* guest : guest_host_->guests())
      if (guest->receives(Slot)) guest->call<Slot>(arguments...);
    return kOk;
  }
  template <CallbackSlot Slot, typename... Arguments>
  HResult all_agree(bool only_if_well, Bool* decision, Arguments... arguments);
  template <CallbackSlot Later, CallbackSlot Earlier>
  void tell_both(const auto& later, const auto& earlier);
  template <CallbackSlot Slot, typename... Arguments>
  void call_requesters(const MethodKey& key, Arguments... arguments);
  std::optional<MethodKey> key_of(FunctionID function);
  bool may_lose_clauses(FunctionID function);
  uint32_t bits_for(ObjectID object);
  ObjectID object_to_pin(CallbackSlot slot, ObjectID object);
  void let_go_of_walkers();

  const void* const* const slots_ = callback_slots<Switchboard>();  // first, in the place of the vtable's pointer
  std::atomic<uint32_t> references_{1};
  const std::vector<GuestSpec> wanted_;
  std::atomic<uint32_t> walkers_{0};  // bits of the guests that are held while they receive a collection's objects
  std::atomic<uint32_t> walked_enough_{0};  // bits of the guests that stopped this collection's heap walk
  GuestHost* guest_host_ = nullptr;         // set in Initialize; no other callback comes before
  GuestLoader* guest_loader_ = nullptr;     // likewise; nullptr for guests that existed already
};

}  // namespace oriel::coreclr
