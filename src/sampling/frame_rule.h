// How to step from a frame to its caller at one pc, in eight bytes: what is left of its call-frame information.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/frame_tables.h"
#include "sampling/state.h"

namespace oriel::sampling {

enum class RuleKind : uint32_t {
  kNone,         // no call-frame information: not a library's code, or none that we understand
  kFrameAt,      // the frame ends at register + cfa_offset
  kFrameFrom,    // the frame ends where the word at register + cfa_offset says (a realigned stack)
  kThreadStart,  // there is no caller
  kSignal,       // the return from a signal handler: the interrupted registers lie on the stack
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
};
static_assert(sizeof(FrameRule) == sizeof(uint64_t));

// The rule for `pc`, from the walker's cache or by working it out. Async-safe; only on the walker's own thread.
FrameRule rule_for(Walker& walker, uintptr_t pc);

// Works out the rule for `pc` from the table entry at `offset`. kNone if the entry does not cover it or is damaged.
FrameRule read_rule(const FrameTable& table, size_t offset, uintptr_t pc);

}  // namespace oriel::sampling
