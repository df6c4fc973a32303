// How to step from a frame to its caller at one pc, in eight bytes: derived from call-frame information or, without
// that, from the code.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/cfi/frame_tables.h"

namespace oriel::sampling {

enum class RuleKind : uint32_t {
  kNone,           // nothing is known about the code
  kFrameAt,        // the frame ends at register + cfa_offset
  kFrameFrom,      // the frame ends where the word at register + cfa_offset points (a realigned stack)
  kThreadStart,    // there is no caller
  kSignal,         // the return from a signal handler: the interrupted registers lie on the stack
  kCode,           // like kFrameAt, derived from the code
  kFaultAt,        // like kFrameAt, for a frame that CoreCLR pushes onto the stack of code that faulted, as if that had
                   // called its handler; base_slot: where the address of the interrupted instruction lies
  kNoReturnFound,  // code without call-frame information from which no path leads to a return; kFramePointer if that
                   // surely is its own; offset and slots are used by step.cc
};

enum class RuleRegister : uint32_t { kStackPointer, kFramePointer, kBase };

// All zero is no rule. The end of the frame (DWARF's CFA) is the caller's stack pointer. On x64 the return address lies
// just below it; on arm64 base_slot tells where.
struct FrameRule {
  int32_t cfa_offset;
  // Where the caller's value is saved, in words from the end of the frame; 0: it is still in the register.
  int32_t fp_slot : 12;
  int32_t base_slot : 12;
  RuleKind kind : 3;
  RuleRegister cfa_register : 2;
  uint32_t fp_slot_from_fp : 1;  // fp_slot is relative to the frame pointer instead, and 0 means the word it points to
  uint32_t follows_call : 1;     // for a return address: it follows a call
  uint32_t calls_funclet : 1;    // for a return address: that call is to a part of the same method
};
static_assert(sizeof(FrameRule) == sizeof(uint64_t));

// Whether methods have funclets: parts that handle exceptions, which other code calls and which run with the method's
// frame pointer. True until it is set; before the first walk. What looks like one is then no frame of its own.
void set_has_funclets(bool has);
bool has_funclets();

// The rule for the instruction at `pc` or, if not `exact`, for the return address `pc`, that is, for the call before
// it. From a cache shared by all threads, or computed. Async-safe.
FrameRule rule_for(uintptr_t pc, bool exact);

// Sets the rule that rule_for returns for `pc`. Async-safe.
void remember_rule(uintptr_t pc, bool exact, FrameRule rule);

// The code from `start` to before `end` has changed: drops the rules for it. Any thread; async-safe.
void forget_rules(uintptr_t start, uintptr_t end);

// Computes the rule for `pc` from the table entry at `offset`. kNone if the entry does not cover it or is damaged.
FrameRule read_rule(const FrameTable& table, size_t offset, uintptr_t pc);

// Computes the rule for code without call-frame information. `exact` as in rule_for.
FrameRule read_code_rule(uintptr_t pc, bool exact);

}  // namespace oriel::sampling
