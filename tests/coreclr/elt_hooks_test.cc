// Hooks of several guests: what the runtime is asked, what it would call then, and what a method's registers contain
// afterwards.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "coreclr/fake_info.h"
#include "runtimes/coreclr/guests/elt/elt_calls.h"
#include "runtimes/coreclr/guests/elt/elt_stub.h"
#include "runtimes/coreclr/guests/guest_info.h"

namespace oriel::coreclr {
namespace {

using Mapper2 = uintptr_t (*)(FunctionID, void*, Bool*);

// Answers like the runtime, and keeps the last request.
struct HookedRuntime : FakeInfo<HookedRuntime> {
  EventMask mask;
  HookKind kind = HookKind::kNone;
  std::array<void*, 3> hooks{};
  void* mapper = nullptr;
  void* client = nullptr;
  unsigned times_told = 0;

  using FakeInfo::answer;
  HResult answer(SlotTag<InfoSlot::kSetEventMask2>, uint32_t low, uint32_t high) {
    mask = {low, high};
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kSetEnterLeaveFunctionHooks>, void* enter, void* leave, void* tail_call) {
    return told(HookKind::kFirst, enter, leave, tail_call);
  }
  HResult answer(SlotTag<InfoSlot::kSetEnterLeaveFunctionHooks3>, void* enter, void* leave, void* tail_call) {
    return told(HookKind::kThird, enter, leave, tail_call);
  }
  HResult answer(SlotTag<InfoSlot::kSetEnterLeaveFunctionHooks3WithInfo>, void* enter, void* leave, void* tail_call) {
    return told(HookKind::kThirdWithInfo, enter, leave, tail_call);
  }
  HResult answer(SlotTag<InfoSlot::kSetFunctionIDMapper2>, void* function, void* data) {
    mapper = function;
    client = data;
    return kOk;
  }
  HResult answer(SlotTag<InfoSlot::kGetFunctionEnter3Info>, FunctionID, uintptr_t info, uintptr_t* frame,
                 uint32_t* size, void* arguments) {
    *frame = info + 1;
    if (arguments == nullptr) return kOk;
    if (*size < kArgumentBytes) {
      *size = kArgumentBytes;
      return static_cast<HResult>(0x8007007a);
    }
    static_cast<char*>(arguments)[kArgumentBytes - 1] = 'x';
    return kOk;
  }
  HResult told(HookKind with, void* enter, void* leave, void* tail_call) {
    kind = with;
    hooks = {enter, leave, tail_call};
    ++times_told;
    return kOk;
  }
  static constexpr uint32_t kArgumentBytes = 5000;
};

// What hooks of the usual calling convention received.
std::vector<std::string> heard;
void hear(const char* what, uintptr_t id, uintptr_t more = 0) {
  heard.push_back(what + std::to_string(id) + (more != 0 ? "," + std::to_string(more) : ""));
}

class EltHooksTest : public ::testing::Test {
 protected:
  EltHooksTest() {
    heard.clear();
    for (uint32_t i = 0; i < 3; ++i) {
      guests.push_back(std::make_unique<Guest>("guest", i, LoadedGuest{{}, 11}, Guest::Kind::kAtStart));
      infos.push_back(std::make_unique<GuestInfo>(guest_host, *guests[i]));
      guest_host.add(*guests[i]);
      guests[i]->set_starting(true);
    }
  }
  UngatedProfilerInfo& info(uint32_t guest) { return *infos[guest]->interface(); }
  void start() {
    for (const auto& guest : guests) guest->set_starting(false);
    guest_host.hooks.all_started(guest_host.guests(), guest_host.masks);
  }
  // Sets hooks without info, for functions that the guest knows by `id`; 0: it does not want hooks for them.
  void fast(uint32_t guest, void* enter, void* leave, uintptr_t id) {
    EXPECT_EQ(info(guest).SetEventMask(kMonitorEnterLeave), kOk);
    EXPECT_EQ(info(guest).SetEnterLeaveFunctionHooks3(enter, leave, nullptr), kOk);
    map_to(guest, id);
  }
  void map_to(uint32_t guest, uintptr_t id) {
    const Mapper2 mapper = [](FunctionID, void* data, Bool* hook) {
      *hook = data != nullptr;
      return reinterpret_cast<uintptr_t>(data);
    };
    info(guest).SetFunctionIDMapper2(reinterpret_cast<void*>(mapper), reinterpret_cast<void*>(id));
  }
  uintptr_t mapped(FunctionID function, bool hooked = true) {
    Bool hook = 1;
    const uintptr_t id = reinterpret_cast<Mapper2>(runtime.mapper)(function, runtime.client, &hook);
    EXPECT_EQ(hook != 0, hooked);
    return id;
  }

  HookedRuntime runtime;
  GuestHost guest_host{ComPtr<ProfilerInfo>(reinterpret_cast<ProfilerInfo*>(&runtime))};
  std::vector<std::unique_ptr<Guest>> guests;
  std::vector<std::unique_ptr<GuestInfo>> infos;
};

void* const kHook = reinterpret_cast<void*>(0x1000);

TEST_F(EltHooksTest, OfOneGuestAreTheRuntimesOwnWithItsMapper) {
  fast(1, kHook, nullptr, 7);
  const void* const none = nullptr;
  EXPECT_EQ(runtime.times_told, 0u) << "nobody knows yet who else comes";
  start();
  EXPECT_EQ(runtime.kind, HookKind::kThird);
  EXPECT_EQ(runtime.hooks[0], kHook);
  EXPECT_EQ(runtime.hooks[1], none);
  EXPECT_EQ(mapped(5), 7u);
}

TEST_F(EltHooksTest, AMapperOfTheFirstKindLeavesThatOfTheSecond) {
  fast(1, kHook, kHook, 7);
  start();
  EXPECT_EQ(info(1).SetFunctionIDMapper(nullptr), kOk);
  EXPECT_EQ(mapped(5), 7u);
}

TEST_F(EltHooksTest, AMapperOfTheFirstKindLeavesThatOfTheSecondOfSeveral) {
  fast(1, kHook, kHook, 7);
  fast(0, kHook, kHook, 8);
  start();
  const uintptr_t before = mapped(5);
  EXPECT_EQ(info(1).SetFunctionIDMapper(nullptr), kOk);
  EXPECT_EQ(mapped(5), before) << "lists of the same are the same";
}

TEST_F(EltHooksTest, OfOneGuestAreSharedWhereAnotherWantsInfo) {
  fast(1, kHook, nullptr, 7);
  info(0).SetEventMask(kEnableFunctionArgs);
  start();
  EXPECT_EQ(runtime.kind, HookKind::kThirdWithInfo) << "the runtime takes no others then";
}

TEST_F(EltHooksTest, OfAGuestThatFailedAreForgotten) {
  fast(0, kHook, kHook, 7);
  fast(1, kHook, nullptr, 8);
  guests[0]->retire();
  start();
  EXPECT_EQ(runtime.hooks[1], nullptr);
  EXPECT_EQ(mapped(5), 8u);
}

TEST_F(EltHooksTest, AreRefusedAsTheRuntimeRefusesThem) {
  constexpr auto kInvalid = static_cast<HResult>(0x80070057), kFlags = static_cast<HResult>(0x80131374),
                 kTooLate = static_cast<HResult>(0x80131356);
  EXPECT_EQ(info(0).SetEnterLeaveFunctionHooks3(nullptr, nullptr, nullptr), kInvalid);
  EXPECT_EQ(info(0).SetEnterLeaveFunctionHooks3WithInfo(kHook, kHook, kHook), kFlags);
  info(0).SetEventMask(kMonitorEnterLeave | kEnableFunctionArgs);
  EXPECT_EQ(info(0).SetEnterLeaveFunctionHooks3(kHook, kHook, kHook), kFlags);
  EXPECT_EQ(info(0).SetEnterLeaveFunctionHooks3WithInfo(kHook, kHook, kHook), kOk);
  EXPECT_EQ(info(0).SetEventMask(kMonitorEnterLeave), kFlags) << "its hooks want info";
  fast(1, kHook, kHook, 1);
  EXPECT_EQ(info(1).SetEventMask(kMonitorEnterLeave | kEnableFrameInfo), kFlags) << "its hooks want none";
  start();
  EXPECT_EQ(info(2).SetEnterLeaveFunctionHooks(kHook, kHook, kHook), kTooLate);
  EXPECT_EQ(info(2).SetEnterLeaveFunctionHooks3(nullptr, nullptr, nullptr), kTooLate);
  EXPECT_EQ(info(0).SetEventMask(kEnableFunctionArgs), kOk) << "that it hears no more may be asked for at any time";
}

TEST_F(EltHooksTest, OfALaterVersionBeatThoseBefore) {
  info(0).SetEventMask(kMonitorEnterLeave);
  EXPECT_EQ(info(0).SetEnterLeaveFunctionHooks3(kHook, kHook, kHook), kOk);
  EXPECT_EQ(info(0).SetEnterLeaveFunctionHooks(nullptr, nullptr, kHook), kOk);
  start();
  EXPECT_EQ(runtime.kind, HookKind::kThird);
  EXPECT_EQ(runtime.hooks[0], kHook);
}

TEST_F(EltHooksTest, AreOnlyThereWhereSomebodyWantsThem) {
  fast(0, kHook, nullptr, 0);
  fast(1, kHook, nullptr, 0);
  fast(2, kHook, nullptr, 9);
  start();
  EXPECT_EQ(runtime.hooks[1], nullptr);
  EXPECT_NE(runtime.hooks[0], kHook);
  const auto* calls = reinterpret_cast<const HookCall*>(mapped(5));
  EXPECT_EQ(calls[0].id, 9u);
  EXPECT_EQ(calls[1].enter, nullptr);
  EXPECT_EQ(mapped(5), reinterpret_cast<uintptr_t>(calls)) << "the same list for the same";
  EXPECT_NE(mapped(6), reinterpret_cast<uintptr_t>(calls));
  info(2).SetEventMask(0);
  mapped(5, false);
}

TEST_F(EltHooksTest, WithInfoGiveEachGuestWhatItsVersionHas) {
  info(0).SetEventMask(kMonitorEnterLeave);
  const auto first = [](FunctionID id) { hear("first ", id); };
  info(0).SetEnterLeaveFunctionHooks(reinterpret_cast<void*>(+first), nullptr, nullptr);
  map_to(0, 11);
  info(1).SetEventMask(kMonitorEnterLeave | kEnableFunctionArgs);
  const auto second = [](FunctionID function, uintptr_t id, uintptr_t frame, const char* arguments) {
    hear("second ", function, id);
    hear("frame ", frame, static_cast<uintptr_t>(arguments[HookedRuntime::kArgumentBytes - 1]));
  };
  info(1).SetEnterLeaveFunctionHooks2(reinterpret_cast<void*>(+second), nullptr, nullptr);
  map_to(1, 12);
  info(2).SetEventMask(kMonitorEnterLeave | kEnableFrameInfo);
  const auto third = [](uintptr_t id, uintptr_t with) { hear("third ", id, with); };
  info(2).SetEnterLeaveFunctionHooks3WithInfo(reinterpret_cast<void*>(+third), nullptr, nullptr);
  start();
  EXPECT_EQ(runtime.kind, HookKind::kThirdWithInfo);
  EXPECT_EQ(runtime.hooks[1], nullptr);
  reinterpret_cast<void (*)(uintptr_t, uintptr_t)>(runtime.hooks[0])(mapped(5), 70);
  EXPECT_EQ(heard, (std::vector<std::string>{"first 11", "second 5,12", "frame 71,120", "third 5,70"}));
}

// Hooks without info get the client id in other registers: these increment what r14 or rdi point to.
extern "C" {
void elt_test_entered();
void elt_test_left();
// Calls the hooks like a method's code, on enter and on leave, with known values in all registers that may hold
// arguments and results. 0: all registers were preserved.
int elt_test_call(void* enter, void* leave, uintptr_t id);
}
asm(R"(
  .pushsection .text
elt_test_entered:
  incq (%r14)
  mov $1, %r10
  mov $2, %r11
  pxor %xmm8, %xmm8
  ret
elt_test_left:
  cmp $77, %rsi
  jne 1f
  incq 8(%rdi)
1:
  xor %edi, %edi
  xor %esi, %esi
  xor %ecx, %ecx
  pxor %xmm2, %xmm2
  ret
elt_test_call:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  sub $40, %rsp
  mov %rdi, (%rsp)
  mov %rsi, 8(%rsp)
  mov %rdx, %r14
  mov $77, %r15
  mov $101, %rbx
  mov $102, %r12
  mov $103, %r13
  mov $104, %rbp
  mov $1, %rdi
  mov $2, %rsi
  mov $3, %rdx
  mov $4, %rcx
  mov $5, %r8
  mov $6, %r9
  mov $7, %rax
  pcmpeqd %xmm0, %xmm0
  pcmpeqd %xmm1, %xmm1
  pcmpeqd %xmm7, %xmm7
  mov %r14, 16(%rsp)
  call *(%rsp)
  cmp $77, %r15
  jne 9f
  add %rsi, %rdi
  add %rdx, %rdi
  add %rcx, %rdi
  add %r8, %rdi
  add %r9, %rdi
  add %rax, %rdi
  cmp $28, %rdi
  jne 9f
  pand %xmm1, %xmm0
  pand %xmm7, %xmm0
  movmskps %xmm0, %eax
  cmp $15, %eax
  jne 9f
  mov 16(%rsp), %rdi
  mov $77, %rsi
  mov $8, %rax
  mov $9, %rdx
  pcmpeqd %xmm0, %xmm0
  pcmpeqd %xmm1, %xmm1
  call *8(%rsp)
  add %rdx, %rax
  cmp $17, %rax
  jne 9f
  pand %xmm1, %xmm0
  movmskps %xmm0, %eax
  cmp $15, %eax
  jne 9f
  lea -101(%rbx), %rax
  lea -102(%r12), %rcx
  or %rcx, %rax
  lea -103(%r13), %rcx
  or %rcx, %rax
  lea -104(%rbp), %rcx
  or %rcx, %rax
  jmp 8f
9:
  mov $1, %eax
8:
  add $40, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
  .popsection
)");

TEST_F(EltHooksTest, WithoutInfoKeepEachRegister) {
  for (uint32_t count = 1; count <= 3; ++count) {
    std::array<std::array<uint64_t, 2>, 3> counts{};
    std::vector<HookCall> calls;
    for (uint32_t i = 0; i < count; ++i)
      calls.push_back({reinterpret_cast<void*>(&elt_test_entered), reinterpret_cast<void*>(&elt_test_left), nullptr,
                       reinterpret_cast<uintptr_t>(&counts[i]), nullptr, 0});
    calls.emplace_back();
    EXPECT_EQ(elt_test_call(reinterpret_cast<void*>(&oriel_elt_enter), reinterpret_cast<void*>(&oriel_elt_leave),
                            reinterpret_cast<uintptr_t>(calls.data())),
              0);
    for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(counts[i], (std::array<uint64_t, 2>{i < count, i < count})) << count;
  }
}

TEST_F(EltHooksTest, OfAGuestThatIsLeftOutAreCalledNoMore) {
  std::array<std::array<uint64_t, 2>, 2> counts{};
  void* const entered = reinterpret_cast<void*>(&elt_test_entered);
  void* const left = reinterpret_cast<void*>(&elt_test_left);
  for (uint32_t i = 0; i < 2; ++i) fast(i, entered, left, reinterpret_cast<uintptr_t>(&counts[i]));
  start();
  const uintptr_t id = mapped(5);
  elt_test_call(runtime.hooks[0], runtime.hooks[1], id);
  guests[0]->leave_out("it is tested");
  elt_test_call(runtime.hooks[0], runtime.hooks[1], id);
  EXPECT_EQ(counts[0], (std::array<uint64_t, 2>{1, 1}));
  EXPECT_EQ(counts[1], (std::array<uint64_t, 2>{2, 2}));
  EXPECT_EQ(reinterpret_cast<const HookCall*>(mapped(5))[0].id, reinterpret_cast<uintptr_t>(&counts[1]));
}

TEST_F(EltHooksTest, WithoutInfoAreCalledBesideOnesWithInfo) {
  std::array<uint64_t, 2> counts{};
  fast(0, reinterpret_cast<void*>(&elt_test_entered), nullptr, reinterpret_cast<uintptr_t>(&counts));
  info(1).SetEventMask(kMonitorEnterLeave | kEnableFrameInfo);
  info(1).SetEnterLeaveFunctionHooks3WithInfo(reinterpret_cast<void*>(+[](uintptr_t id, uintptr_t) { hear("", id); }),
                                              nullptr, nullptr);
  start();
  reinterpret_cast<void (*)(uintptr_t, uintptr_t)>(runtime.hooks[0])(mapped(5), 70);
  EXPECT_EQ(counts[0], 1u);
  EXPECT_EQ(heard, std::vector<std::string>{"5"});
}

}  // namespace
}  // namespace oriel::coreclr
