#include "runtimes/coreclr/guests/elt/elt_calls.h"

#include <algorithm>
#include <vector>

#include "base/atomic_ref.h"
#include "runtimes/coreclr/guests/elt/elt_hooks.h"
#include "runtimes/coreclr/guests/elt/elt_stub.h"

namespace oriel::coreclr {
namespace {

constexpr HResult kInsufficientBuffer = static_cast<HResult>(0x8007007a);

// COR_PRF_FUNCTION_ARGUMENT_RANGE.
struct ArgumentRange {
  uintptr_t start;
  uint32_t bytes;
};

using Hook1 = void (*)(FunctionID);
using Hook3 = void (*)(uintptr_t id, uintptr_t info);
using Enter2 = void (*)(FunctionID, uintptr_t id, uintptr_t frame, void* arguments);
using Leave2 = void (*)(FunctionID, uintptr_t id, uintptr_t frame, ArgumentRange* result);
using TailCall2 = void (*)(FunctionID, uintptr_t id, uintptr_t frame);

bool asked_for(const HookCall& call, uint32_t bits) { return (call.hooks->guest->mask().low & bits) != 0; }

// Version 2 also gets info if snapshots were requested; values that were not requested are then empty.
bool is_with_info(const HookCall& call) { return asked_for(call, kNeedInfo | kEnableStackSnapshot); }

// COR_PRF_FUNCTION_ARGUMENT_INFO has as many ranges as the method has arguments.
void enter_second(const HookCall& call, void* hook, uintptr_t info) {
  const auto enter = reinterpret_cast<Enter2>(hook);
  uintptr_t frame = 0;
  if (!is_with_info(call)) return enter(call.function, call.id, frame, nullptr);
  alignas(ArgumentRange) char usual[1024];
  std::vector<char> large;
  char* arguments = usual;
  std::fill_n(usual, sizeof(uint64_t), 0);  // no ranges
  uint32_t size = sizeof usual;
  const bool wanted = asked_for(call, kEnableFunctionArgs);
  const HResult result = call.hooks->runtime->GetFunctionEnter3Info(
      call.function, info, &frame, wanted ? &size : nullptr, wanted ? arguments : nullptr);
  if (result == kInsufficientBuffer) {
    large.resize(size);
    arguments = large.data();
    call.hooks->runtime->GetFunctionEnter3Info(call.function, info, &frame, &size, arguments);
  }
  enter(call.function, call.id, frame, arguments);
}

void leave_second(const HookCall& call, void* hook, uintptr_t info) {
  const auto leave = reinterpret_cast<Leave2>(hook);
  uintptr_t frame = 0;
  if (!is_with_info(call)) return leave(call.function, call.id, frame, nullptr);
  ArgumentRange result{};
  call.hooks->runtime->GetFunctionLeave3Info(call.function, info, &frame,
                                             asked_for(call, kEnableFunctionRetval) ? &result : nullptr);
  leave(call.function, call.id, frame, &result);
}

void tail_call_second(const HookCall& call, void* hook, uintptr_t info) {
  uintptr_t frame = 0;
  if (is_with_info(call)) call.hooks->runtime->GetFunctionTailcall3Info(call.function, info, &frame);
  reinterpret_cast<TailCall2>(hook)(call.function, call.id, frame);
}

template <void* HookCall::*Hook, void (*Second)(const HookCall&, void*, uintptr_t)>
void call_each(uintptr_t id, uintptr_t info) {
  for (auto* call = reinterpret_cast<HookCall*>(id); call->hooks != nullptr; ++call) {
    void* const hook = AtomicRef(call->*Hook).load(std::memory_order_relaxed);
    switch (call->hooks->kind) {
      case HookKind::kFirst:
        reinterpret_cast<Hook1>(hook)(call->id);
        break;
      case HookKind::kSecond:
        Second(*call, hook, info);
        break;
      case HookKind::kThird:
        oriel_elt_call(hook, call->id);
        break;
      case HookKind::kThirdWithInfo:
        reinterpret_cast<Hook3>(hook)(call->id, info);
        break;
      case HookKind::kNone:
        break;
    }
  }
}

}  // namespace

void call_entered(uintptr_t id, uintptr_t info) { call_each<&HookCall::enter, enter_second>(id, info); }
void call_left(uintptr_t id, uintptr_t info) { call_each<&HookCall::leave, leave_second>(id, info); }
void call_tail_called(uintptr_t id, uintptr_t info) { call_each<&HookCall::tail_call, tail_call_second>(id, info); }

}  // namespace oriel::coreclr
