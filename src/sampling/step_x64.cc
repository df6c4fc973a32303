#include "sampling/step.h"

#include <sys/ucontext.h>

#include <cstddef>

#include "sampling/code_scan_x64.h"
#include "sampling/frame_rule.h"
#include "sampling/patchpoint_x64.h"

namespace oriel::sampling {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

// A thread's first function was called by nobody: zeros lie where the caller's would.
Step checked(const Registers& before, Registers& registers) {
  if (registers.ip == 0) return Step::kThreadStart;
  return is_code_address(registers.ip) && registers.sp > before.sp ? Step::kCaller : Step::kBroken;
}

// Goes on to the caller of code that was replaced on the stack, whose return address to its patchpoint we have, and
// whose own frame holds that caller's frame pointer and the return address to it at its end.
void leave_replaced_code(StackMemory& memory, Registers& registers) {
  const uintptr_t saved = memory.find(registers.fp, registers.sp, registers.fp);
  if (saved == 0) return;
  uint8_t code[kPatchpointBytes];
  uintptr_t caller = 0;
  if (!memory.read(saved + kWord, caller) || !is_code_address(caller)) return;
  if (StackMemory::copy(registers.ip - kPatchpointBytes, code, sizeof(code)) != sizeof(code)) return;
  if (!is_patchpoint_call(code + sizeof(code))) return;
  registers.ip = caller;
  registers.sp = saved + 2 * kWord;
}

// The caller's frame pointer lies where the frame pointer points, the return address above it.
Step step_by_frame_pointer(StackMemory& memory, Registers& registers) {
  const Registers before = registers;
  if (before.fp == 0) return Step::kThreadStart;
  if (before.fp < before.sp) return Step::kBroken;
  if (!memory.read(before.fp, registers.fp) || !memory.read(before.fp + kWord, registers.ip)) return Step::kBroken;
  registers.sp = before.fp + 2 * kWord;
  registers.base = 0;
  if (is_code_address(registers.ip)) leave_replaced_code(memory, registers);
  return checked(before, registers);
}

uintptr_t value_of(RuleRegister which, const Registers& registers) {
  switch (which) {
    case RuleRegister::kFramePointer:
      return registers.fp;
    case RuleRegister::kBase:
      return registers.base;
    default:
      return registers.sp;
  }
}

// Words below (or above) an address.
uintptr_t word_at(uintptr_t address, int32_t slot) { return address + static_cast<uintptr_t>(intptr_t{slot}) * kWord; }

Step step_by_rule(StackMemory& memory, Registers& registers, const FrameRule& rule) {
  const Registers before = registers;
  uintptr_t end = value_of(rule.cfa_register, before) + static_cast<uintptr_t>(intptr_t{rule.cfa_offset});
  if (rule.kind == RuleKind::kFrameFrom && !memory.read(end, end)) return Step::kBroken;
  if (end <= before.sp || !memory.read(end - kWord, registers.ip)) return Step::kBroken;
  if (rule.fp_slot_from_fp || rule.fp_slot != 0) {
    if (!memory.read(word_at(rule.fp_slot_from_fp ? before.fp : end, rule.fp_slot), registers.fp)) return Step::kBroken;
  }
  if (rule.base_slot != 0 && !memory.read(word_at(end, rule.base_slot), registers.base)) return Step::kBroken;
  registers.sp = end;
  return checked(before, registers);
}

// The stack pointer is at the context that the system saved for the handler's return.
Step step_over_signal(StackMemory& memory, Registers& registers) {
  const uintptr_t saved = registers.sp + offsetof(ucontext_t, uc_mcontext.gregs);
  const auto read = [&](int which, uintptr_t& value) {
    return memory.read(saved + static_cast<uintptr_t>(which) * kWord, value);
  };
  if (!read(REG_RIP, registers.ip) || !read(REG_RSP, registers.sp) || !read(REG_RBP, registers.fp) ||
      !read(REG_RBX, registers.base)) {
    return Step::kBroken;
  }
  // Not further up the stack if the handler has a stack of its own.
  memory.move_to(registers.sp);
  return is_code_address(registers.ip) ? Step::kInterrupted : Step::kBroken;
}

// Code without call-frame information. Read through the system: a program on its way to a crash may point anywhere.
Step step_from_interrupted(StackMemory& memory, Registers& registers) {
  uint8_t code[kScannedBytes];
  const ScannedCode scanned = scan_code(code, StackMemory::copy(registers.ip, code, sizeof(code)));
  if (scanned.state == FrameState::kFramePointer) return step_by_frame_pointer(memory, registers);
  const Registers before = registers;
  const uintptr_t at = before.sp + static_cast<uintptr_t>(scanned.offset);
  if (!memory.read(at, registers.ip)) return Step::kBroken;
  registers.sp = at + kWord;
  registers.base = 0;
  return checked(before, registers);
}

}  // namespace

Step step_to_caller(Walker& walker, StackMemory& memory, Registers& registers, bool exact) {
  // A call may be its function's last instruction: the return address is the next function's then.
  const FrameRule rule = rule_for(walker, exact ? registers.ip : registers.ip - 1);
  switch (rule.kind) {
    case RuleKind::kFrameAt:
    case RuleKind::kFrameFrom:
      return step_by_rule(memory, registers, rule);
    case RuleKind::kThreadStart:
      return Step::kThreadStart;
    case RuleKind::kSignal:
      return step_over_signal(memory, registers);
    default:
      return exact ? step_from_interrupted(memory, registers) : step_by_frame_pointer(memory, registers);
  }
}

}  // namespace oriel::sampling
