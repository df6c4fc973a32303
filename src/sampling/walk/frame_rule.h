// How to step from a frame to its caller at one pc, in eight bytes: what is left of its call-frame information, or of
// what its code says where there is none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/cfi/frame_tables.h"

namespace oriel::sampling {

enum class RuleKind : uint32_t {
  kNone,         // nothing is known of the code
  kFrameAt,      // the frame ends at register + cfa_offset
  kFrameFrom,    // the frame ends where the word at register + cfa_offset says (a realigned stack)
  kThreadStart,  // there is no caller
  kSignal,       // the return from a signal handler: the interrupted registers lie on the stack
  kCode,         // as kFrameAt, by the code itself
  kFaultAt,   // as kFrameAt, of a frame that CoreCLR puts on the stack of code that has faulted, as if that had called
              // its handler; base_slot: where the address lies at which the code was interrupted
  kNoWayOut,  // code without call-frame information from which no way leads to a return; kFramePointer if that
              // surely is its own; offset and slots are notes of step.cc
};

enum class RuleRegister : uint32_t { kStackPointer, kFramePointer, kBase };

// All zero is no rule. The end of the frame (DWARF's CFA) is the caller's stack pointer; the return address lies just
// below it.
struct FrameRule {
  int32_t cfa_offset;
  // Where the caller's value is saved, in words from the end of the frame; 0: the register still has it.
  int32_t fp_slot : 12;
  int32_t base_slot : 12;
  RuleKind kind : 3;
  RuleRegister cfa_register : 2;
  uint32_t fp_slot_from_fp : 1;  // fp_slot counts from the frame pointer instead, and 0 means the word it points to
  uint32_t follows_call : 1;     // of a return address: a call stands before it
  uint32_t calls_funclet : 1;    // of a return address: that call is to a part of the same method
};
static_assert(sizeof(FrameRule) == sizeof(uint64_t));

// The rule for the instruction at `pc` or, if not `exact`, for the return address `pc`, which is that of a call before
// it. From memory shared by all threads, or worked out. Async-safe.
FrameRule rule_for(uintptr_t pc, bool exact);

// Has rule_for give this rule for `pc` from now on. Async-safe.
void remember_rule(uintptr_t pc, bool exact, FrameRule rule);

// The code from `start` to before `end` is no longer what it was: rules for it are worked out anew. Any thread;
// async-safe.
void forget_rules(uintptr_t start, uintptr_t end);

// Works out the rule for `pc` from the table entry at `offset`. kNone if the entry does not cover it or is damaged.
FrameRule read_rule(const FrameTable& table, size_t offset, uintptr_t pc);

// Works out the rule for code without call-frame information.
FrameRule read_code_rule(uintptr_t pc);

}  // namespace oriel::sampling
