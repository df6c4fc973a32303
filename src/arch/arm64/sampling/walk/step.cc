#include "sampling/walk/step.h"

#include <sys/ucontext.h>

#include <cstddef>

#include "sampling/walk/call_site.h"
#include "sampling/walk/return_address.h"

namespace oriel::sampling {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);

// A thread's first function has no caller: zeros lie in its place.
Step checked(const Registers& registers, bool went_up) {
  if (registers.ip == 0) return Step::kThreadStart;
  return is_code_address(registers.ip) && went_up ? Step::kCaller : Step::kBroken;
}

// The frame pointer points at the frame record: the caller's frame pointer, and the return address above it. Where the
// frame ends is not known, so the stack pointer is a lower bound from here on, until a frame tells.
Step step_by_frame_pointer(StackMemory& memory, Registers& registers) {
  const Registers before = registers;
  if (!before.knows_fp) return Step::kBroken;
  if (before.fp == 0) return Step::kThreadStart;
  if (before.fp < before.sp) return Step::kBroken;
  uintptr_t return_address = 0;
  if (!memory.read(before.fp, registers.fp) || !memory.read(before.fp + kWord, return_address)) return Step::kBroken;
  registers.ip = without_signature(return_address);
  registers.sp = before.fp + 2 * kWord;
  registers.base = 0;
  return checked(registers, registers.sp > before.sp);
}

// The address `slot` words above an address.
uintptr_t word_at(uintptr_t address, int32_t slot) { return address + static_cast<uintptr_t>(intptr_t{slot}) * kWord; }

// Managed code that calls points its frame pointer at its record, also where the stack pointer is a lower bound only.
// In a funclet it points at its method's: the two are shown as one frame.
bool ends_by_record(const Registers& registers, const FrameRule& rule) {
  return rule.kind == RuleKind::kCode && rule.follows_call && rule.cfa_register == RuleRegister::kStackPointer &&
         rule.fp_slot != 0 && rule.base_slot == rule.fp_slot + 1 && registers.knows_fp && registers.fp >= registers.sp;
}

bool find_end(StackMemory& memory, const Registers& registers, const FrameRule& rule, uintptr_t& end) {
  if (ends_by_record(registers, rule)) {
    end = word_at(registers.fp, -rule.fp_slot);
    return true;
  }
  if (rule.cfa_register == RuleRegister::kBase) return false;
  const bool by_fp = rule.cfa_register == RuleRegister::kFramePointer;
  if (by_fp && !registers.knows_fp) return false;
  end = (by_fp ? registers.fp : registers.sp) + static_cast<uintptr_t>(intptr_t{rule.cfa_offset});
  return rule.kind != RuleKind::kFrameFrom || memory.read(end, end);
}

Step step_by_rule(StackMemory& memory, Registers& registers, const FrameRule& rule) {
  const Registers before = registers;
  // The link register is the caller's in the innermost frame only.
  if (rule.base_slot == 0 && before.base == 0) return step_by_frame_pointer(memory, registers);
  uintptr_t end = 0, return_address = before.base;
  if (!find_end(memory, before, rule, end)) return Step::kBroken;
  if (rule.base_slot != 0 && !memory.read(word_at(end, rule.base_slot), return_address)) return Step::kBroken;
  if (rule.fp_slot != 0 && !memory.read(word_at(end, rule.fp_slot), registers.fp)) return Step::kBroken;
  if (rule.fp_slot != 0) registers.knows_fp = true;
  registers.ip = without_signature(return_address);
  registers.sp = end;
  registers.base = 0;
  return checked(registers, rule.base_slot == 0 ? end >= before.sp : end > before.sp);
}

// The stack pointer points to what the system saved for the handler's return: information about the signal, and the
// context.
Step step_over_signal(StackMemory& memory, Registers& registers) {
  constexpr uintptr_t kInformation = 128;
  using Machine = decltype(ucontext_t::uc_mcontext);
  const uintptr_t saved = registers.sp + kInformation + offsetof(ucontext_t, uc_mcontext);
  const auto general = [&](uintptr_t which) { return saved + offsetof(Machine, regs) + which * kWord; };
  if (!memory.read(saved + offsetof(Machine, pc), registers.ip) || !memory.read(general(29), registers.fp) ||
      !memory.read(general(30), registers.base) || !memory.read(saved + offsetof(Machine, sp), registers.sp)) {
    return Step::kBroken;
  }
  registers.knows_fp = true;
  // Not further up the same stack if the handler has its own.
  memory.move_to(registers.sp);
  return is_code_address(registers.ip) ? Step::kInterrupted : Step::kBroken;
}

Step step(StackMemory& memory, Registers& registers, const FrameRule& rule) {
  switch (rule.kind) {
    case RuleKind::kFrameAt:
    case RuleKind::kFrameFrom:
    case RuleKind::kCode:
      return step_by_rule(memory, registers, rule);
    case RuleKind::kThreadStart:
      return Step::kThreadStart;
    case RuleKind::kSignal:
      return step_over_signal(memory, registers);
    default:
      return starts_thread(rule, registers.ip) ? Step::kThreadStart : step_by_frame_pointer(memory, registers);
  }
}

// The step's result must be plausible code: a return address has a call before it.
Step arrive(Step step, Frame& frame) {
  if (step != Step::kCaller && step != Step::kInterrupted) return step;
  frame.rule = rule_for(frame.registers.ip, step == Step::kInterrupted);
  const bool called =
      frame.rule.follows_call || frame.rule.kind == RuleKind::kThreadStart || frame.rule.kind == RuleKind::kSignal;
  return step == Step::kInterrupted || called ? step : Step::kBroken;
}

// An interrupted funclet, a part of a method that runs with the method's own frame pointer, was called by that method.
bool is_funclet(const Registers& called, const FrameRule& rule, const Frame& caller) {
  return rule.kind == RuleKind::kCode && !rule.follows_call && caller.rule.calls_funclet && called.knows_fp &&
         called.fp >= caller.registers.sp;
}

}  // namespace

Frame innermost_frame(const Registers& registers) { return {registers, rule_for(registers.ip, true)}; }

Step step_to_caller(StackMemory& memory, Frame& frame) {
  const Registers before = frame.registers;
  const FrameRule rule = frame.rule;
  const Step step_made = arrive(step(memory, frame.registers, rule), frame);
  if (step_made != Step::kCaller || !is_funclet(before, rule, frame)) return step_made;
  // The funclet and its method are shown as one frame.
  frame.registers = before;
  return arrive(step_by_frame_pointer(memory, frame.registers), frame);
}

}  // namespace oriel::sampling
