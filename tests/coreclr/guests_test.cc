// The switchboard, slot by slot, with a runtime and profilers that only record their calls.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>
#include <type_traits>

#include "paths.h"
#include "runtimes/coreclr/guests/bodies/il_maps.h"
#include "runtimes/coreclr/guests/event_sessions.h"
#include "runtimes/coreclr/guests/guest_info.h"
#include "runtimes/coreclr/guests/switchboard.h"
#include "runtimes/coreclr/thread_state.h"

namespace oriel::coreclr {
namespace {

struct FakeRuntime {
  const void* const* slots = info_slots<FakeRuntime>();
  std::array<unsigned, static_cast<size_t>(InfoSlot::kCount)> calls{};
  EventMask mask;
  HResult mask_answer = kOk;
  uint32_t generation = 0;
  uint16_t major = 0;
  ObjectID pinned = 0;  // the object of the one handle

  HResult query(const Guid&, void** object) {
    *object = this;
    return kOk;
  }
  uint32_t add_reference() { return 2; }
  uint32_t release() { return 1; }
  template <InfoSlot Slot, typename... Arguments>
  HResult answer(SlotTag<Slot>, Arguments...) {
    ++calls[static_cast<size_t>(Slot)];
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kGetRuntimeInformation>, uint16_t*, uint32_t*, uint16_t* version, uint16_t*,
                 uint16_t*, uint16_t*, uint32_t, uint32_t*, char16_t*) {
    ++calls[static_cast<size_t>(InfoSlot::kGetRuntimeInformation)];
    *version = major;
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kCreateHandle>, ObjectID object, uint32_t, uintptr_t* handle) {
    ++calls[static_cast<size_t>(InfoSlot::kCreateHandle)];
    pinned = object;
    *handle = reinterpret_cast<uintptr_t>(&pinned);
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kDestroyHandle>, uintptr_t) {
    ++calls[static_cast<size_t>(InfoSlot::kDestroyHandle)];
    pinned = 0;
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kGetObjectGeneration>, ObjectID, void* range) {
    ++calls[static_cast<size_t>(InfoSlot::kGetObjectGeneration)];
    static_cast<GenerationRange*>(range)->generation = generation;
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kSetEventMask2>, uint32_t low, uint32_t high) {
    if (succeeded(mask_answer)) mask = {low, high};
    return mask_answer;
  }
  // Like the runtime, it needs room for one more than it returns.
  HResult answer(SlotTag<InfoSlot::kEventPipeGetProviderInfo>, uintptr_t provider, uint32_t room, uint32_t* length,
                 char16_t* name) {
    ++calls[static_cast<size_t>(InfoSlot::kEventPipeGetProviderInfo)];
    if (provider == 0) return kInvalidArgument;
    const std::u16string& known = providers.at(provider - 1);
    *length = static_cast<uint32_t>(known.size() + 1);
    if (room <= *length) return static_cast<HResult>(0x8007007a);
    known.copy(name, known.size());
    name[known.size()] = 0;
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kEventPipeStartSession>, uint32_t, EventPipeProviderConfig*, Bool,
                 uint64_t* session) {
    *session = ++sessions;
    return kOk;
  }
  std::vector<std::u16string> providers{u"Source", u"Other", u"Microsoft-DotNETCore-EventPipe"};  // ids from 1 on
  uint64_t sessions = 0;
};

struct FakeProfiler {
  const void* const* slots = callback_slots<FakeProfiler>();
  const FakeRuntime* runtime = nullptr;
  std::vector<ObjectID> pinned;  // the pinned object at each call with an object
  std::array<std::atomic<unsigned>, static_cast<size_t>(CallbackSlot::kCount)> calls{};
  Bool decision = 1;
  HResult result = kOk;
  uint32_t last_size = 0;

  HResult query(const Guid&, void** object) {
    *object = this;
    return kOk;
  }
  uint32_t add_reference() { return 2; }
  uint32_t release() { return 1; }
  template <CallbackSlot Slot, typename... Arguments>
  HResult answer(SlotTag<Slot>, Arguments...) {
    ++calls[static_cast<size_t>(Slot)];
    return result;
  }
  HResult answer(SlotTag<CallbackSlot::kObjectAllocated>, ObjectID, ClassID) {
    pinned.push_back(runtime->pinned);
    ++calls[static_cast<size_t>(CallbackSlot::kObjectAllocated)];
    return result;
  }
  HResult answer(SlotTag<CallbackSlot::kExceptionThrown>, ObjectID) {
    pinned.push_back(runtime->pinned);
    ++calls[static_cast<size_t>(CallbackSlot::kExceptionThrown)];
    return result;
  }
  HResult answer(SlotTag<CallbackSlot::kExceptionCatcherEnter>, FunctionID, ObjectID) {
    pinned.push_back(runtime->pinned);
    ++calls[static_cast<size_t>(CallbackSlot::kExceptionCatcherEnter)];
    return result;
  }
  HResult answer(SlotTag<CallbackSlot::kMovedReferences>, uint32_t count, ObjectID*, ObjectID*, uint32_t* sizes) {
    ++calls[static_cast<size_t>(CallbackSlot::kMovedReferences)];
    if (count > 0) last_size = sizes[count - 1];
    return result;
  }
  HResult answer(SlotTag<CallbackSlot::kJITInlining>, FunctionID, FunctionID, Bool* may) {
    ++calls[static_cast<size_t>(CallbackSlot::kJITInlining)];
    EXPECT_EQ(*may, 1) << "each starts from the runtime's answer";
    *may = decision;
    return result;
  }
};

class Guests : public ::testing::Test {
 protected:
  Guests() {
    for (uint32_t i = 0; i < 2; ++i) {
      profilers[i].runtime = &runtime;
      auto* callback = reinterpret_cast<ProfilerCallback*>(&profilers[i]);
      guests[i] = std::make_unique<Guest>("guest", i, LoadedGuest{ComPtr<ProfilerCallback>(callback), 11},
                                          Guest::Kind::kAtStart);
      guest_host.add(*guests[i]);
    }
  }
  unsigned heard(uint32_t guest, CallbackSlot slot) { return profilers[guest].calls[static_cast<size_t>(slot)]; }

  FakeRuntime runtime;
  GuestHost guest_host{ComPtr<ProfilerInfo>(reinterpret_cast<ProfilerInfo*>(&runtime))};
  std::array<FakeProfiler, 2> profilers;
  std::array<std::unique_ptr<Guest>, 2> guests;
  Switchboard board{guest_host};
};

// Calls a slot with arguments that point to writable memory.
alignas(16) char scratch[4096];
template <typename T>
T argument() {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(scratch);
  else if constexpr (std::is_reference_v<T>)
    return reinterpret_cast<T>(scratch);
  else
    return T{};
}
template <typename Interface, typename... Arguments>
HResult call(Interface* object, HResult (Interface::*slot)(Arguments...)) {
  return (object->*slot)(argument<Arguments>()...);
}

template <CallbackSlot Slot>
void call_slot(ProfilerCallback* board) {
  call(board, MemberOf<Slot>::value);
}
constexpr void (*kCallbackCalls[])(ProfilerCallback*) = {
#define ORIEL_INTERFACE(...)
#define ORIEL_SLOT(name, arguments) call_slot<CallbackSlot::k##name>,
#include "runtimes/coreclr/com/callback.def"
#undef ORIEL_SLOT
#undef ORIEL_INTERFACE
};

TEST_F(Guests, HearEachCallbackThatTheyAskedForAndNoOther) {
  guests[0]->set_mask({UINT32_MAX, UINT32_MAX});
  for (size_t i = 0; i < std::size(kCallbackCalls); ++i) {
    const auto slot = static_cast<CallbackSlot>(i);
    const CallbackRule& rule = rule_of(slot);
    if (rule.how != How::kTold) continue;
    kCallbackCalls[i](board.interface());
    const bool always = (rule.enabling_bits.low | rule.enabling_bits.high) == 0;
    EXPECT_EQ(heard(0, slot), 1u) << name_of(slot);
    EXPECT_EQ(heard(1, slot), always ? 1u : 0u) << name_of(slot);
  }
}

TEST_F(Guests, HearTogetherWhatIsSharedOut) {
  for (const auto& guest : guests) guest->set_mask({UINT32_MAX, UINT32_MAX});
  kCallbackCalls[static_cast<size_t>(CallbackSlot::kGarbageCollectionStarted)](
      board.interface());  // guests that walk the heap
  for (size_t i = 0; i < std::size(kCallbackCalls); ++i) {
    const auto slot = static_cast<CallbackSlot>(i);
    // Only guests that requested a version are asked for it.
    if (rule_of(slot).how != How::kCombined || slot == CallbackSlot::kGetReJITParameters) continue;
    const std::array<unsigned, 2> before = {heard(0, slot), heard(1, slot)};
    scratch[0] = 1;  // the runtime's own decision
    kCallbackCalls[i](board.interface());
    for (uint32_t guest = 0; guest < 2; ++guest) {
      // If there are two slots for the same data, the runtime calls the later one for both.
      const bool by_later = slot == CallbackSlot::kMovedReferences || slot == CallbackSlot::kSurvivingReferences ||
                            slot == CallbackSlot::kRootReferences;
      EXPECT_EQ(heard(guest, slot) - before[guest], by_later ? 0u : 1u) << name_of(slot);
    }
  }
}

TEST_F(Guests, HearWhatAnyOfItsBitsIsFor) {
  guests[1]->set_mask({0, kHighBasicGc});
  kCallbackCalls[static_cast<size_t>(CallbackSlot::kGarbageCollectionStarted)](board.interface());
  kCallbackCalls[static_cast<size_t>(CallbackSlot::kObjectReferences)](board.interface());
  EXPECT_EQ(heard(1, CallbackSlot::kGarbageCollectionStarted), 1u);
  EXPECT_EQ(heard(1, CallbackSlot::kObjectReferences), 0u);
}

TEST_F(Guests, OneThatForbidsIsEnough) {
  for (const auto& guest : guests) guest->set_mask({kMonitorJitCompilation, 0});
  Bool may = 1;
  board.interface()->JITInlining(1, 2, &may);
  EXPECT_EQ(may, 1);
  profilers[0].decision = 0;
  board.interface()->JITInlining(1, 2, &may);
  EXPECT_EQ(may, 0);
  EXPECT_EQ(heard(1, CallbackSlot::kJITInlining), 2u);
}

TEST_F(Guests, ThatFailHaveNoSayInWhatIsInlined) {
  for (const auto& guest : guests) guest->set_mask({kMonitorJitCompilation | kMonitorCacheSearches, 0});
  profilers[0].decision = 0;
  profilers[0].result = kFail;
  Bool may = 1;
  board.interface()->JITInlining(1, 2, &may);
  EXPECT_EQ(may, 1);
}

TEST_F(Guests, EndTheWalkThroughTheHeapForThemselves) {
  for (const auto& guest : guests) guest->set_mask({kMonitorGc, 0});
  const auto walk = [&] { return board.interface()->ObjectReferences(1, 2, 0, nullptr); };
  board.interface()->GarbageCollectionStarted(0, nullptr, 0);
  profilers[0].result = kFail;
  EXPECT_EQ(walk(), kOk);
  EXPECT_EQ(walk(), kOk);
  EXPECT_EQ(heard(0, CallbackSlot::kObjectReferences), 1u);
  EXPECT_EQ(heard(1, CallbackSlot::kObjectReferences), 2u);
  profilers[1].result = kFail;
  EXPECT_TRUE(failed(walk())) << "all have enough";
  profilers[0].result = profilers[1].result = kOk;
  board.interface()->GarbageCollectionStarted(0, nullptr, 0);
  EXPECT_EQ(walk(), kOk);
  EXPECT_EQ(heard(0, CallbackSlot::kObjectReferences), 2u) << "of the next collection";
}

TEST_F(Guests, HearOfReferencesByTheEarlierSlotToo) {
  Guest old("old", 2, LoadedGuest{ComPtr<ProfilerCallback>(reinterpret_cast<ProfilerCallback*>(&profilers[0])), 3},
            Guest::Kind::kAtStart);
  guest_host.add(old);
  old.set_mask({kMonitorGc, 0});
  guests[1]->set_mask({kMonitorGc, 0});
  ObjectID objects[2] = {1, 2};
  size_t sizes[2] = {8, size_t{1} << 40};
  board.interface()->MovedReferences2(2, objects, objects, sizes);
  uint32_t short_sizes[2] = {8, UINT32_MAX};
  board.interface()->MovedReferences(2, objects, objects, short_sizes);
  EXPECT_EQ(heard(0, CallbackSlot::kMovedReferences2), 0u);
  EXPECT_EQ(heard(0, CallbackSlot::kMovedReferences), 1u);
  EXPECT_EQ(profilers[0].last_size, UINT32_MAX);
  EXPECT_EQ(heard(1, CallbackSlot::kMovedReferences2), 1u);
  EXPECT_EQ(heard(1, CallbackSlot::kMovedReferences), 1u);
  profilers[1].result = kFail;
  board.interface()->RootReferences2(0, nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(heard(1, CallbackSlot::kRootReferences2), 1u);
  EXPECT_EQ(heard(1, CallbackSlot::kRootReferences), 0u) << "as the later slot failed";
  EXPECT_EQ(heard(0, CallbackSlot::kRootReferences), 1u);
}

TEST_F(Guests, HearOfNewVersionsThatTheirRequestsBring) {
  GuestInfo first(guest_host, *guests[0]), second(guest_host, *guests[1]);
  for (const auto& guest : guests) guest->set_mask({kMonitorJitCompilation | kEnableReJit, 0});
  ModuleID module = 1;
  Token method = 0x06000001;
  first.interface()->RequestReJITWithInliners(kReJitBlockInlining, 1, &module, &method);
  board.interface()->ReJITCompilationStarted(0, 1, 1);  // for a method that nobody requested
  EXPECT_EQ(heard(0, CallbackSlot::kReJITCompilationStarted), 1u);
  EXPECT_EQ(heard(1, CallbackSlot::kReJITCompilationStarted), 0u);
  board.interface()->ReJITError(module, method, 0, kFail);
  EXPECT_EQ(heard(0, CallbackSlot::kReJITError), 1u);
  guests[0]->set_mask({kEnableReJit, 0});
  board.interface()->ReJITCompilationStarted(0, 1, 1);
  EXPECT_EQ(heard(0, CallbackSlot::kReJITCompilationStarted), 1u) << "it asked for no compilations";
  board.interface()->ReJITError(module, method, 0, kFail);
  EXPECT_EQ(heard(0, CallbackSlot::kReJITError), 2u);
}

struct NamedInfoRule {
  const char* name;
  const char* how;
  const char* what;
  HResult (*call)(UngatedProfilerInfo*);
};
template <InfoSlot Slot>
HResult call_slot(UngatedProfilerInfo* info) {
  return call(info, MemberOf<Slot>::value);
}
constexpr NamedInfoRule kInfoRules[] = {
#define ORIEL_RULE(name, how, what) {#name, #how, what, call_slot<InfoSlot::k##name>},
#include "runtimes/coreclr/guests/info_rules.def"
#undef ORIEL_RULE
};
static_assert(std::size(kInfoRules) == static_cast<size_t>(InfoSlot::kCount));

TEST_F(Guests, AskTheRuntimeItselfWhereNothingIsToBeShared) {
  GuestInfo first(guest_host, *guests[0]), second(guest_host, *guests[1]);
  for (size_t i = 0; i < std::size(kInfoRules); ++i) {
    if (kInfoRules[i].how != std::string("Passed")) continue;
    const unsigned before = runtime.calls[i];
    kInfoRules[i].call(first.interface());
    kInfoRules[i].call(second.interface());
    EXPECT_EQ(runtime.calls[i] - before, 2u) << kInfoRules[i].name;
  }
}

// All arguments are zero: the presence of another guest changes no answer.
TEST_F(Guests, GetTheSameAnswersAsOneAlone) {
  GuestHost lonely{ComPtr<ProfilerInfo>(reinterpret_cast<ProfilerInfo*>(&runtime))};
  Guest single("guest", 0, LoadedGuest{{}, 11}, Guest::Kind::kAtStart);
  lonely.add(single);
  GuestInfo alone(lonely, single), first(guest_host, *guests[0]), second(guest_host, *guests[1]);
  for (const NamedInfoRule& rule : kInfoRules) {
    if (rule.name == std::string("RequestProfilerDetach")) continue;  // because nothing is answered after it
    std::ranges::fill(scratch, 0);
    const HResult expected = rule.call(alone.interface());
    for (GuestInfo* info : {&first, &second}) {
      std::ranges::fill(scratch, 0);
      EXPECT_EQ(rule.call(info->interface()), expected) << rule.name;
    }
  }
}

TEST_F(Guests, AskForTheInlinersThatOthersAskedForThemselves) {
  GuestInfo first(guest_host, *guests[0]), second(guest_host, *guests[1]);
  for (const auto& guest : guests) guest->set_mask({kEnableReJit, 0});
  ModuleID module = 1;
  Token inlined = 0x06000001, caller = 0x06000002;
  HResult result = kOk;
  const auto asked = [&](Token method) {
    const std::array<unsigned, 2> before = {heard(0, CallbackSlot::kGetReJITParameters),
                                            heard(1, CallbackSlot::kGetReJITParameters)};
    board.interface()->GetReJITParameters(module, method, reinterpret_cast<FunctionControl*>(scratch));
    return (heard(0, CallbackSlot::kGetReJITParameters) - before[0]) * 1 +
           (heard(1, CallbackSlot::kGetReJITParameters) - before[1]) * 2;
  };
  first.interface()->RequestReJITWithInliners(kReJitInliningCallbacks, 1, &module, &inlined);
  EXPECT_EQ(asked(inlined), 1u);
  second.interface()->RequestReJIT(1, &module, &caller);
  EXPECT_EQ(asked(caller), 2u) << "it asked for this one";
  EXPECT_EQ(asked(caller), 3u) << "the runtime makes it anew as it has the other inlined";
  second.interface()->RequestReJIT(1, &module, &caller);
  EXPECT_EQ(asked(caller), 3u) << "what the first made of it stays";
  first.interface()->RequestRevert(1, &module, &caller, &result);
  EXPECT_EQ(asked(caller), 2u);
}

TEST_F(Guests, TheRuntimeGetsWhatAllAskedForAndEachSeesItsOwn) {
  GuestInfo first(guest_host, *guests[0]), second(guest_host, *guests[1]);
  EXPECT_EQ(first.interface()->SetEventMask(kMonitorThreads), kOk);
  EXPECT_EQ(second.interface()->SetEventMask2(kMonitorModuleLoads, kHighBasicGc), kOk);
  EXPECT_EQ(runtime.mask, (EventMask{kMonitorThreads | kMonitorModuleLoads, kHighBasicGc}));
  uint32_t low = 0, high = 0;
  EXPECT_EQ(first.interface()->GetEventMask2(&low, &high), kOk);
  EXPECT_EQ((EventMask{low, high}), (EventMask{kMonitorThreads, 0}));
  EXPECT_EQ(first.interface()->SetEventMask(0), kOk);
  EXPECT_EQ(runtime.mask, (EventMask{kMonitorModuleLoads, kHighBasicGc}));
}

TEST_F(Guests, AskForWhatIsNotToChangeOnlyWhileTheyStart) {
  GuestInfo info(guest_host, *guests[0]);
  guests[0]->set_starting(true);
  EXPECT_EQ(info.interface()->SetEventMask(kDisableAllNgenImages), kOk);
  guests[0]->set_starting(false);
  EXPECT_EQ(info.interface()->SetEventMask(kDisableAllNgenImages | kMonitorThreads), kOk);
  EXPECT_EQ(info.interface()->SetEventMask(kMonitorThreads), kFail);
  EXPECT_EQ(info.interface()->SetEventMask(kDisableAllNgenImages | kUseProfileImages), kFail);
  EXPECT_EQ(runtime.mask, (EventMask{kDisableAllNgenImages | kMonitorThreads, 0}));
}

TEST_F(Guests, KeepTheirMaskWhereTheRuntimeRefusesAnother) {
  GuestInfo info(guest_host, *guests[0]);
  info.interface()->SetEventMask(kMonitorThreads);
  runtime.mask_answer = kFail;
  EXPECT_EQ(info.interface()->SetEventMask(kMonitorExceptions), kFail);
  EXPECT_EQ(guests[0]->mask(), (EventMask{kMonitorThreads, 0}));
}

TEST_F(Guests, ThatCameLateAskForLess) {
  Guest late("late", 2, {}, Guest::Kind::kAttached);
  guest_host.add(late);
  GuestInfo info(guest_host, late);
  late.set_starting(true);
  EXPECT_EQ(info.interface()->SetEventMask(kMonitorThreads | kEnableReJit), kOk);
  EXPECT_EQ(info.interface()->SetEventMask(kMonitorObjectAllocated), kNotWhenAttached);
  EXPECT_EQ(info.interface()->SetEventMask(kUseProfileImages), kFail);
  EXPECT_EQ(late.mask(), (EventMask{kMonitorThreads | kEnableReJit, 0}));
}

TEST_F(Guests, AskForWhatTheirInterfaceHas) {
  Guest old("old", 2, LoadedGuest{{}, 3}, Guest::Kind::kAtStart);
  guest_host.add(old);
  GuestInfo info(guest_host, old);
  ModuleID module = 1;
  Token method = 0x06000001;
  EXPECT_EQ(info.interface()->SetEventMask2(kEnableReJit, kHighAddAssemblyReferences), kCallback6Required);
  EXPECT_EQ(info.interface()->SetEventMask2(kEnableReJit, kHighInMemorySymbolsUpdated), kCallback7Required);
  EXPECT_EQ(info.interface()->SetEventMask2(kEnableReJit, kHighBasicGc), kOk);
  EXPECT_EQ(info.interface()->RequestReJIT(1, &module, &method), kCallback4Required);
  EXPECT_EQ(runtime.calls[static_cast<size_t>(InfoSlot::kRequestReJIT)], 0u);
}

TEST_F(Guests, ThatOnlyHearChangeNothing) {
  GuestInfo info(guest_host, *guests[0]);
  guests[0]->set_notification_only();
  ModuleID module = 1;
  Token method = 0x06000001;
  EXPECT_EQ(info.interface()->SetEventMask2(kMonitorThreads | kEnableReJit, 0), kInvalidArgument);
  EXPECT_EQ(info.interface()->SetEventMask2(kMonitorThreads, kHighAddAssemblyReferences), kInvalidArgument);
  EXPECT_EQ(info.interface()->SetEventMask2(kMonitorThreads | kMonitorJitCompilation, kHighBasicGc), kOk);
  EXPECT_EQ(info.interface()->RequestReJIT(1, &module, &method), kInvalidArgument);
  EXPECT_EQ(info.interface()->SetFunctionIDMapper(nullptr), kInvalidArgument);
}

TEST_F(Guests, LeaveOnceNothingOfThemIsToStay) {
  GuestInfo first(guest_host, *guests[0]), second(guest_host, *guests[1]);
  first.interface()->SetEventMask(kMonitorModuleLoads);
  second.interface()->SetEventMask(kMonitorThreads | kEnableReJit);
  EXPECT_EQ(second.interface()->RequestProfilerDetach(0), kIrreversiblePresent);
  guests[1]->set_mask({kUseProfileImages, 0});
  EXPECT_EQ(second.interface()->RequestProfilerDetach(0), kImmutableFlagsSet);
  EXPECT_EQ(first.interface()->RequestProfilerDetach(0), kOk);
  EXPECT_EQ(first.interface()->RequestProfilerDetach(0), kProfilerDetaching);
  EXPECT_EQ(first.interface()->SetEventMask(kMonitorThreads), kProfilerDetaching);
  EXPECT_EQ(runtime.mask.low & kMonitorModuleLoads, 0u);
  board.interface()->ModuleLoadFinished(1, kOk);
  EXPECT_EQ(heard(0, CallbackSlot::kModuleLoadFinished), 0u);
  while (heard(0, CallbackSlot::kProfilerDetachSucceeded) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  guests[0].release();  // it must live as long as the process, because its last thread may still use it
}

TEST_F(Guests, ThatAskedForLargeObjectsHearOfThoseAlone) {
  guests[0]->set_mask({kMonitorObjectAllocated | kEnableObjectAllocated, 0});
  guests[1]->set_mask({kMonitorObjectAllocated, kHighMonitorLargeObjectAllocated});
  board.interface()->ObjectAllocated(1, 2);
  runtime.generation = 3;
  board.interface()->ObjectAllocated(1, 2);
  EXPECT_EQ(heard(0, CallbackSlot::kObjectAllocated), 2u);
  EXPECT_EQ(heard(1, CallbackSlot::kObjectAllocated), 1u);
}

// A guest's work in a callback may let a collection in, which would move the object before the next guest is called.
TEST_F(Guests, HearOfAnObjectThatStaysWhereItIs) {
  constexpr uint32_t kObjects = kMonitorObjectAllocated | kEnableObjectAllocated | kMonitorExceptions;
  const auto tell_all = [&](ObjectID object) {
    board.interface()->ObjectAllocated(object, 2);
    EXPECT_EQ(runtime.pinned, 0u);
    board.interface()->ExceptionThrown(object);
    EXPECT_EQ(runtime.pinned, 0u);
    board.interface()->ExceptionCatcherEnter(3, object);
    EXPECT_EQ(runtime.pinned, 0u);
  };
  guests[0]->set_mask({kObjects, 0});
  tell_all(7);
  EXPECT_EQ(profilers[0].pinned, (std::vector<ObjectID>{0, 0, 0})) << "nobody hears of it after this one";
  guests[1]->set_mask({kObjects, 0});
  tell_all(8);
  EXPECT_EQ(profilers[0].pinned, (std::vector<ObjectID>{0, 0, 0, 8, 8, 8}));
  EXPECT_EQ(profilers[1].pinned, (std::vector<ObjectID>{8, 8, 8}));
}

// Some runtimes report a filter while they keep the exception where no collection finds it.
TEST_F(Guests, HearOfExceptionsThatStayUntilTheyAreCaught) {
  for (const uint16_t major : {9, 10}) {
    runtime.major = major;
    GuestHost later_host{ComPtr<ProfilerInfo>(reinterpret_cast<ProfilerInfo*>(&runtime))};
    Switchboard later_board{later_host};
    later_host.add(*guests[0]);
    guests[0]->set_mask({kMonitorExceptions, 0});
    profilers[0].pinned.clear();
    later_board.interface()->ExceptionThrown(7);
    EXPECT_EQ(runtime.pinned, 7u);
    later_board.interface()->ExceptionSearchFilterEnter(3);
    EXPECT_EQ(runtime.pinned, 7u);
    later_board.interface()->ExceptionCatcherEnter(3, 7);
    EXPECT_EQ(runtime.pinned, 0u);
    EXPECT_EQ(profilers[0].pinned, (std::vector<ObjectID>{7, 7}));
  }
}

TEST_F(Guests, AreNotToldOfOurOwnHandles) {
  for (const auto& guest : guests) guest->set_mask({kMonitorGc | kMonitorExceptions, 0});
  PerThreadState& own = *per_thread_state();
  own.is_pinning = true;
  board.interface()->HandleCreated(1, 2);
  board.interface()->HandleDestroyed(1);
  own.is_pinning = false;
  EXPECT_EQ(heard(0, CallbackSlot::kHandleCreated) + heard(1, CallbackSlot::kHandleDestroyed), 0u);
  board.interface()->HandleCreated(1, 2);
  EXPECT_EQ(heard(1, CallbackSlot::kHandleCreated), 1u);
}

TEST_F(Guests, TakeBackOnlyTheirOwnVersions) {
  GuestInfo first(guest_host, *guests[0]), second(guest_host, *guests[1]);
  ModuleID module = 1;
  Token method = 0x06000001;
  HResult result = kOk;
  const auto times = [&](InfoSlot slot) { return runtime.calls[static_cast<size_t>(slot)]; };
  EXPECT_EQ(first.interface()->RequestReJIT(1, &module, &method), kReJitNotEnabled);
  for (const auto& guest : guests) guest->set_mask({kEnableReJit, 0});
  first.interface()->RequestReJIT(1, &module, &method);
  second.interface()->RequestReJIT(1, &module, &method);
  EXPECT_EQ(guest_host.rejits.requesters({module, method}), 3u);
  first.interface()->RequestRevert(1, &module, &method, &result);
  EXPECT_EQ(times(InfoSlot::kRequestRevert), 0u);
  EXPECT_EQ(times(InfoSlot::kRequestReJIT), 3u) << "made anew without the first one's change";
  first.interface()->RequestRevert(1, &module, &method, &result);
  EXPECT_EQ(times(InfoSlot::kRequestReJIT), 3u) << "nothing of it is left to take back";
  second.interface()->RequestRevert(1, &module, &method, &result);
  EXPECT_EQ(times(InfoSlot::kRequestRevert), 1u);
  EXPECT_EQ(result, kOk);
}

TEST(IlMaps, LeadFromTheFirstBodyToTheLast) {
  const std::vector<IlMapEntry> first = {{0, 4, 1}, {2, 9, 1}, {5, 20, 0}}, second = {{4, 8, 1}, {20, 30, 1}};
  const std::vector<IlMapEntry> both = compose(first, second);
  ASSERT_EQ(both.size(), 3u);
  EXPECT_EQ(both[0].old_offset, 0u);
  EXPECT_EQ(both[0].new_offset, 8u);
  EXPECT_EQ(both[0].is_accurate, 1);
  EXPECT_EQ(both[1].new_offset, 13u) << "moved with what is before it";
  EXPECT_EQ(both[1].is_accurate, 0);
  EXPECT_EQ(both[2].new_offset, 30u);
  EXPECT_EQ(both[2].is_accurate, 0) << "as in the first";
  EXPECT_EQ(compose({}, second).size(), 2u);
  EXPECT_EQ(compose(first, {}).size(), 3u);
}

TEST(IlMaps, OfAMethodAreInTheGuestsOrderWhoeverSetsOneAgain) {
  const Guest first("first", 0, {}, Guest::Kind::kAtStart), second("second", 1, {}, Guest::Kind::kAtStart);
  const Guest own("Oriel", 2, {}, Guest::Kind::kOwn);
  const MethodKey key = {1, 0x06000001};
  const IlMapEntry by[] = {{0, 4, 1}, {4, 9, 1}, {9, 10, 1}, {0, 5, 1}, {5, 9, 1}};
  IlMaps maps;
  maps.set(own, key, {&by[2], 1});
  maps.set(second, key, {&by[1], 1});
  maps.set(first, key, {&by[0], 1});
  ASSERT_EQ(maps.of_all(key).size(), 1u);
  EXPECT_EQ(maps.of_all(key)[0].new_offset, 10u);
  EXPECT_EQ(maps.of_guests(key)[0].new_offset, 9u);
  maps.set(first, key, {&by[3], 1});
  maps.set(second, key, {&by[4], 1});
  EXPECT_EQ(maps.of_all(key)[0].new_offset, 10u);
  maps.module_unloading(1);
  EXPECT_TRUE(maps.of_all(key).empty());
}

TEST(EventKinds, StandBehindTheNameInTheMetadata) {
  std::vector<uint8_t> metadata = {7, 0, 0, 0, 'G', 0, 'C', 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0};
  EXPECT_EQ(kind_of_event(metadata).keywords, 1u);
  EXPECT_EQ(kind_of_event(metadata).level, 4u);
  metadata.resize(9);
  EXPECT_EQ(kind_of_event(metadata).level, 0u) << "cut short";
}

class GuestsEvents : public Guests {
 protected:
  uint64_t start(const Guest& guest, const char16_t* name, uint64_t keywords, uint32_t level) {
    EventPipeProviderConfig provider{name, keywords, level, nullptr};
    uint64_t session = 0;
    EXPECT_EQ(guest_host.events.start(guest, 1, &provider, 0, &session), kOk);
    return session;
  }
  uint32_t next(uint64_t keywords, uint32_t level, uintptr_t provider = 1, const uint8_t* fields = nullptr) {
    return guest_host.events.next_session_guest({provider, 7, fields, {keywords, level}});
  }
  // The guests that get the calls for one event, of which there are as many as sessions for it.
  uint32_t requesters(uint64_t keywords, uint32_t level, uintptr_t provider = 1) {
    return next(keywords, level, provider) | next(keywords, level, provider);
  }
};

TEST_F(GuestsEvents, AreHeardOnceForEachSessionOfOnesOwn) {
  const Guest &first = *guests[0], &second = *guests[1];
  start(first, u"Source", 1, 4);
  start(second, u"Source", 3, 5);
  start(second, u"Source", 1, 5);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(next(1, 4), first.bit()) << "the same event again and again";
    EXPECT_EQ(next(1, 4), second.bit());
    EXPECT_EQ(next(1, 4), second.bit());
    EXPECT_EQ(next(2, 4), second.bit()) << "of one session";
  }
  board.interface()->EventPipeEventDelivered(1, 7, 1, 0, nullptr, 0, nullptr, nullptr, nullptr, 0, 0, nullptr);
  EXPECT_EQ(heard(0, CallbackSlot::kEventPipeEventDelivered), 1u);
  EXPECT_EQ(heard(1, CallbackSlot::kEventPipeEventDelivered), 0u);
}

TEST_F(GuestsEvents, ThatAGuestRaisesInOneAreOnesOfTheirOwn) {
  const Guest &first = *guests[0], &second = *guests[1];
  start(first, u"Source", 1, 5);
  start(second, u"Source", 1, 5);
  const uint8_t outer = 0, inner = 0;
  EXPECT_EQ(next(1, 4, 1, &outer), first.bit());
  EXPECT_EQ(next(1, 4, 1, &inner), first.bit());
  EXPECT_EQ(next(1, 4, 1, &inner), second.bit());
  std::thread([&] { EXPECT_EQ(next(1, 4, 1, &outer), first.bit()) << "on another thread"; }).join();
  EXPECT_EQ(next(1, 4, 1, &outer), second.bit());
}

TEST_F(GuestsEvents, AreForWhoAskedForTheirKeywordsAndLevel) {
  const Guest& guest = *guests[0];
  start(guest, u"Source", 6, 3);
  start(*guests[1], u"Else", 1, 1);
  EXPECT_EQ(next(2, 3), guest.bit());
  EXPECT_EQ(next(1, 3), 0u);
  EXPECT_EQ(next(2, 4), 0u);
  EXPECT_EQ(next(2, 0), guest.bit()) << "told at any level";
  EXPECT_EQ(next(0, 3), guest.bit()) << "of no keyword";
  EXPECT_EQ(next(0xf00000000001, 3), 0u);
  EXPECT_EQ(next(0xf00000000000, 3), guest.bit()) << "these are of no account";
  EXPECT_EQ(next(2, 3, 2), 0u) << "of another provider";
  EXPECT_EQ(next(0, 0, 3), guest.bit()) << "of the event pipe itself";
}

TEST_F(GuestsEvents, OfNoKeywordAreAllThatOneHearsWhoAskedForNone) {
  start(*guests[0], u"Source", 0, 5);
  start(*guests[1], u"Else", 1, 1);
  EXPECT_EQ(next(1, 3), 0u);
  EXPECT_EQ(next(0, 3), guests[0]->bit());
}

TEST_F(GuestsEvents, OfAProviderThatIsAddedAreHeardOnceItIsMadeAnew) {
  const uint64_t session = start(*guests[0], u"Other", UINT64_MAX, 5);
  start(*guests[1], u"Source", UINT64_MAX, 5);
  EXPECT_EQ(guest_host.events.add(session, {u"Source", 1, 5, nullptr}), kOk);
  EXPECT_EQ(requesters(1, 4), guests[1]->bit());
  EXPECT_EQ(guest_host.events.add(session, {u"Source", 2, 5, nullptr}), kOk);
  guest_host.events.provider_created(1);
  EXPECT_EQ(requesters(1, 4), guests[0]->bit() | guests[1]->bit());
  EXPECT_EQ(requesters(2, 4), guests[1]->bit()) << "the first entry counts";
}

TEST_F(GuestsEvents, OfAllProvidersAreThoseOfTheOnesThatThereAre) {
  start(*guests[0], u"*", UINT64_MAX, 5);
  start(*guests[1], u"Else", 1, 1);
  EXPECT_EQ(next(1, 5), guests[0]->bit());
  guest_host.events.provider_created(1);
  EXPECT_EQ(next(1, 5), 0u);
  EXPECT_EQ(next(1, 5, 2), guests[0]->bit());
}

TEST_F(GuestsEvents, OfTheOnlySessionAreAllThatTheRuntimeTells) {
  start(*guests[1], u"Source", 1, 5);
  EXPECT_EQ(next(1, 4), guests[1]->bit());
  EXPECT_EQ(next(2, 4, 2), guests[1]->bit()) << "nobody else can have asked for it";
}

TEST_F(GuestsEvents, EndWithTheirGuest) {
  for (int i = 0; i < 2; ++i) start(*guests[0], u"Source", 1, 5);
  start(*guests[1], u"Source", 1, 5);
  EXPECT_TRUE(guest_host.events.has_any_of(*guests[0]));
  guest_host.events.leave_out(*guests[0]);
  EXPECT_FALSE(guest_host.events.has_any_of(*guests[0]));
  EXPECT_EQ(requesters(1, 4), guests[1]->bit());
}

TEST_F(GuestsEvents, EndWithTheSession) {
  const uint64_t session = start(*guests[0], u"Source", 1, 5);
  start(*guests[1], u"Source", 1, 5);
  EXPECT_EQ(requesters(1, 4), guests[0]->bit() | guests[1]->bit());
  EXPECT_EQ(guest_host.events.stop(session), kOk);
  EXPECT_EQ(requesters(1, 4), guests[1]->bit());
}

constexpr const char* kBegin =
    "<!-- rules: made from src/runtimes/coreclr/guests/*.def, see tests/coreclr/guests_test.cc -->\n";
constexpr const char* kEnd = "<!-- end of rules -->\n";

std::string rules_table() {
  std::ostringstream out;
  out << "| callback | is |\n|---|---|\n";
#define ORIEL_RULE(name, how, low, high) out << "| `" #name "` | " #how " |\n";
#include "runtimes/coreclr/guests/callback_rules.def"
#undef ORIEL_RULE
  out << "\n| function | is | |\n|---|---|---|\n";
  for (const NamedInfoRule& rule : kInfoRules)
    out << "| `" << rule.name << "` | " << rule.how << " | " << rule.what << " |\n";
  return out.str();
}

TEST(GuestsDoc, HasARowForEachSlot) {
  std::stringstream text;
  text << std::ifstream(test_paths::guests_doc).rdbuf();
  std::string doc = text.str();
  const size_t begin = doc.find(kBegin), end = doc.find(kEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const size_t table = begin + std::string(kBegin).size();
  if (getenv("ORIEL_REGENERATE")) {
    doc.replace(table, end - table, rules_table());
    std::ofstream(test_paths::guests_doc) << doc;
    return;
  }
  EXPECT_EQ(doc.substr(table, end - table), rules_table())
      << "run ORIEL_REGENERATE=1 test_coreclr --gtest_filter='GuestsDoc.*'";
}

}  // namespace
}  // namespace oriel::coreclr
