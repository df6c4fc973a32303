#include "sampling/signal/handler.h"

// The frame pointer keeps the way back (AAPCS64: x0 top, x1 function, x2 argument).
asm(R"(
  .pushsection .text
  .globl oriel_call_on_stack
  .hidden oriel_call_on_stack
  .type oriel_call_on_stack, @function
  .p2align 2
oriel_call_on_stack:
  .cfi_startproc
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  .cfi_def_cfa_register x29
  mov sp, x0
  mov x0, x2
  blr x1
  mov sp, x29
  .cfi_def_cfa_register sp
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  .cfi_restore x29
  .cfi_restore x30
  ret
  .cfi_endproc
  .size oriel_call_on_stack, . - oriel_call_on_stack
  .popsection
)");
