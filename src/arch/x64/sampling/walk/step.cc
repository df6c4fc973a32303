#include "sampling/walk/step.h"

#include <sys/ucontext.h>

#include <cstddef>

#include "sampling/walk/call_site.h"
#include "sampling/walk/code_scan.h"

namespace oriel::sampling {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr uintptr_t kStackAlignment = 16;  // at each call, by the ABI
constexpr uintptr_t kPlaces = 1 << 11;     // number of values that a rule's slot can distinguish

// A thread's first function has no caller: zeros lie in its place.
Step checked(const Registers& before, const Registers& registers) {
  if (registers.ip == 0) return Step::kThreadStart;
  return is_code_address(registers.ip) && registers.sp > before.sp ? Step::kCaller : Step::kBroken;
}

// Steps to the caller of code that was replaced on the stack, given the return address to its patchpoint. The old
// code's frame has that caller's frame pointer and return address at its end.
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
  if (!before.knows_fp) return Step::kBroken;
  if (before.fp == 0) return Step::kThreadStart;
  if (before.fp < before.sp) return Step::kBroken;
  if (!memory.read(before.fp, registers.fp) || !memory.read(before.fp + kWord, registers.ip)) return Step::kBroken;
  registers.sp = before.fp + 2 * kWord;
  registers.base = 0;
  if (is_code_address(registers.ip)) leave_replaced_code(memory, registers);
  return checked(before, registers);
}

bool value_of(RuleRegister which, const Registers& registers, uintptr_t& value) {
  value = which == RuleRegister::kStackPointer ? registers.sp
          : which == RuleRegister::kBase       ? registers.base
                                               : registers.fp;
  return which == RuleRegister::kStackPointer || registers.knows_fp;
}

// The address `slot` words above an address.
uintptr_t word_at(uintptr_t address, int32_t slot) { return address + static_cast<uintptr_t>(intptr_t{slot}) * kWord; }

bool restore_frame_pointer(StackMemory& memory, Registers& registers, const FrameRule& rule, uintptr_t end) {
  if (!rule.fp_slot_from_fp && rule.fp_slot == 0) return true;
  if (rule.fp_slot_from_fp && !registers.knows_fp) return true;
  const uintptr_t at = word_at(rule.fp_slot_from_fp ? registers.fp : end, rule.fp_slot);
  if (!memory.read(at, registers.fp)) return false;
  registers.knows_fp = true;
  return true;
}

Step step_by_rule(StackMemory& memory, Registers& registers, const FrameRule& rule) {
  const Registers before = registers;
  uintptr_t end = 0;
  if (!value_of(rule.cfa_register, before, end)) return Step::kBroken;
  end += static_cast<uintptr_t>(intptr_t{rule.cfa_offset});
  if (rule.kind == RuleKind::kFrameFrom && !memory.read(end, end)) return Step::kBroken;
  if (end <= before.sp || !memory.read(end - kWord, registers.ip)) return Step::kBroken;
  if (!restore_frame_pointer(memory, registers, rule, end)) return Step::kBroken;
  if (rule.base_slot != 0 && !memory.read(word_at(end, rule.base_slot), registers.base)) return Step::kBroken;
  registers.sp = end;
  return checked(before, registers);
}

// The frame's end is the stack pointer at the fault. Registers that the handler has saved since are unknown, except the
// frame pointer.
Step step_over_fault(StackMemory& memory, Registers& registers, const FrameRule& rule) {
  const Registers before = registers;
  uintptr_t end = 0;
  if (!value_of(rule.cfa_register, before, end)) return Step::kBroken;
  end += static_cast<uintptr_t>(intptr_t{rule.cfa_offset});
  if (end <= before.sp || !memory.read(word_at(end, rule.base_slot), registers.ip)) return Step::kBroken;
  if (!restore_frame_pointer(memory, registers, rule, end)) return Step::kBroken;
  registers.sp = end;
  registers.base = 0;
  return is_code_address(registers.ip) ? Step::kInterrupted : Step::kBroken;
}

// Mono's signal handlers return into functions of Mono's, which have a copy of the interrupted registers on the stack
// and no caller. A copy begins with these words, of 49.
enum MonoContext : uintptr_t { kMonoBase = 3, kMonoSp = 4, kMonoFp = 5, kMonoIp = 16, kMonoWords = 49 };

// Such registers at `saved`.
bool read_mono_context(StackMemory& memory, uintptr_t saved, Registers& registers) {
  const auto read = [&](MonoContext which, uintptr_t& value) { return memory.read(saved + which * kWord, value); };
  return read(kMonoSp, registers.sp) && read(kMonoIp, registers.ip) && read(kMonoFp, registers.fp) &&
         read(kMonoBase, registers.base);
}

// Where the frame of a function ends that Mono's handler sets up below the red zone of code with this stack pointer.
uintptr_t end_below_red_zone(uintptr_t stack_pointer) {
  constexpr uintptr_t kRedZone = 128;
  const uintptr_t entry = stack_pointer - kRedZone;
  return (entry % kStackAlignment == 0 ? entry - kWord : entry) + kWord;
}

// Methods have no call-frame information.
bool is_method_code(uintptr_t ip) {
  if (!is_code_address(ip)) return false;
  const RuleKind kind = rule_for(ip, true).kind;
  return kind == RuleKind::kCode || kind == RuleKind::kNoReturnFound;
}

// Whether the frame is of such a function; `end` is its end. After a fault on a stack of its own, the handler puts the
// copy, and a return address to the instruction, onto the interrupted stack; else the function copies it for itself.
bool step_over_mono_fault(StackMemory& memory, Registers& registers, uintptr_t end) {
  constexpr uintptr_t kAbove = 4 * kWord, kMostAbove = 1024, kMostPlaces = 8;
  uintptr_t return_address = 0;
  Registers found;
  bool is_one = memory.read(end - kWord, return_address) && read_mono_context(memory, end + kAbove, found) &&
                found.ip == return_address && found.sp > end && found.sp - end <= kMostAbove;
  const bool has_room = end - registers.sp >= kMonoWords * kWord;
  for (uintptr_t place = 0; has_room && !is_one && place < kMostPlaces; ++place)
    is_one = read_mono_context(memory, registers.sp + place * kWord, found) && end == end_below_red_zone(found.sp);
  if (!is_one || !is_method_code(found.ip)) return false;
  registers = found;
  return true;
}

// The stack pointer points to the context that the system saved for the handler's return.
Step step_over_signal(StackMemory& memory, Registers& registers) {
  const uintptr_t saved = registers.sp + offsetof(ucontext_t, uc_mcontext.gregs);
  const auto read = [&](int which, uintptr_t& value) {
    return memory.read(saved + static_cast<uintptr_t>(which) * kWord, value);
  };
  if (!read(REG_RIP, registers.ip) || !read(REG_RSP, registers.sp) || !read(REG_RBP, registers.fp) ||
      !read(REG_RBX, registers.base)) {
    return Step::kBroken;
  }
  registers.knows_fp = true;
  // Not further up the same stack if the handler has its own.
  memory.move_to(registers.sp);
  return is_code_address(registers.ip) ? Step::kInterrupted : Step::kBroken;
}

// A frame found on one stack may be a leftover of an earlier call. It becomes the code's rule once it was found at
// another place too; until then the kNoReturnFound rule keeps it as a note, with its place.
void remember_found(const Registers& registers, FrameRule rule, const FrameRule& found) {
  const auto place = static_cast<int32_t>(registers.sp / kStackAlignment % kPlaces);
  const bool same = rule.cfa_offset == found.cfa_offset && rule.fp_slot == found.fp_slot;
  if (same && rule.base_slot != place) return remember_rule(registers.ip, false, found);
  rule.cfa_offset = found.cfa_offset;
  rule.fp_slot = found.fp_slot;
  rule.base_slot = place;
  remember_rule(registers.ip, false, rule);
}

// Most such code has a frame pointer, but most code that throws has none.
Step step_without_return(StackMemory& memory, Registers& registers, const FrameRule& rule) {
  if (starts_thread(rule, registers.ip)) return Step::kThreadStart;
  if (rule.cfa_register == RuleRegister::kFramePointer) return step_by_frame_pointer(memory, registers);
  FrameRule found = find_called_frame(memory, registers);
  if (found.kind == RuleKind::kNone) return step_by_frame_pointer(memory, registers);
  found.follows_call = rule.follows_call;
  found.calls_funclet = rule.calls_funclet;
  if (rule.follows_call) remember_found(registers, rule, found);
  return step_by_rule(memory, registers, found);
}

Step step(StackMemory& memory, Registers& registers, const FrameRule& rule) {
  switch (rule.kind) {
    case RuleKind::kFrameAt: {
      const bool may_be_of_mono = !has_funclets() && rule.cfa_register == RuleRegister::kStackPointer;
      const uintptr_t end = registers.sp + static_cast<uintptr_t>(intptr_t{rule.cfa_offset});
      if (may_be_of_mono && step_over_mono_fault(memory, registers, end)) return Step::kInterrupted;
      return step_by_rule(memory, registers, rule);
    }
    case RuleKind::kFrameFrom:
    case RuleKind::kCode:
      return step_by_rule(memory, registers, rule);
    case RuleKind::kThreadStart:
      return Step::kThreadStart;
    case RuleKind::kSignal:
      return step_over_signal(memory, registers);
    case RuleKind::kFaultAt:
      return step_over_fault(memory, registers, rule);
    default:
      return step_without_return(memory, registers, rule);
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

// Code that does not touch the frame pointer: a small method, or a funclet, a part of a method that runs with the
// method's own frame pointer.
bool leaves_frame_pointer(const FrameRule& rule) {
  return rule.kind == RuleKind::kCode && rule.cfa_register == RuleRegister::kStackPointer && rule.fp_slot == 0;
}

// For such code: a funclet is called by its method, or by the runtime, which sets the frame pointer to that of a frame
// above its own.
bool calls_funclet(const Frame& caller, const Registers& called) {
  if (!has_funclets() || !called.knows_fp || called.fp < caller.registers.sp) return false;
  const bool by_runtime = caller.rule.kind == RuleKind::kFrameAt && caller.rule.fp_slot != 0 &&
                          caller.rule.cfa_register == RuleRegister::kStackPointer;
  return by_runtime || caller.rule.calls_funclet;
}

}  // namespace

Frame innermost_frame(const Registers& registers) { return {registers, rule_for(registers.ip, true)}; }

Step step_to_caller(StackMemory& memory, Frame& frame) {
  if (!leaves_frame_pointer(frame.rule)) return arrive(step(memory, frame.registers, frame.rule), frame);
  const Registers before = frame.registers;
  const Step by_rule = arrive(step_by_rule(memory, frame.registers, frame.rule), frame);
  if (by_rule != Step::kCaller || !calls_funclet(frame, before)) return by_rule;
  // The funclet and its method are shown as one frame.
  frame.registers = before;
  return arrive(step_by_frame_pointer(memory, frame.registers), frame);
}

}  // namespace oriel::sampling
