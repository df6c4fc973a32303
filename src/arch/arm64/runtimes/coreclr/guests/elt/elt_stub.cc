#include "runtimes/coreclr/guests/elt/elt_stub.h"

// The client id is in x10 and the caller's stack pointer in x11, on enter and on leave. A hook may change x9 to x15,
// the intra-procedure registers and the link register, as the runtime expects. The last hook of a list is reached by a
// jump, as if the method's code had called it. Until then a frame record keeps the way back, for stack walks out of a
// hook.
asm(R"(
  .pushsection .text

  .macro oriel_elt_begin name
  .globl \name
  .hidden \name
  .type \name, @function
  .p2align 2
\name:
  .cfi_startproc
  stp x29, x30, [sp, #-32]!
  .cfi_def_cfa_offset 32
  .cfi_offset x29, -32
  .cfi_offset x30, -24
  mov x29, sp
  stp x19, x20, [sp, #16]
  .cfi_offset x19, -16
  .cfi_offset x20, -8
  .endm

  .macro oriel_elt_end name
  ldp x19, x20, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_def_cfa_offset 0
  .cfi_restore x19
  .cfi_restore x20
  .cfi_restore x29
  .cfi_restore x30
  .endm

  .macro oriel_elt_calls name, offset
oriel_elt_begin \name
  mov x19, x10
  mov x20, x11
1:
  ldr x9, [x19, #48]
  cbz x9, 2f
  ldr x10, [x19, #24]
  ldr x9, [x19, #\offset]
  mov x11, x20
  blr x9
  add x19, x19, #48
  b 1b
2:
  ldr x10, [x19, #24]
  ldr x9, [x19, #\offset]
  mov x11, x20
oriel_elt_end \name
  br x9
  .cfi_endproc
  .size \name, . - \name
  .endm
oriel_elt_calls oriel_elt_enter, 0
oriel_elt_calls oriel_elt_leave, 8
oriel_elt_calls oriel_elt_tail_call, 16

  .globl oriel_elt_nothing
  .hidden oriel_elt_nothing
  .type oriel_elt_nothing, @function
oriel_elt_nothing:
  .cfi_startproc
  ret
  .cfi_endproc
  .size oriel_elt_nothing, . - oriel_elt_nothing

  // Nobody here knows the caller's stack pointer.
oriel_elt_begin oriel_elt_call
  mov x9, x0
  mov x10, x1
  mov x11, xzr
  blr x9
oriel_elt_end oriel_elt_call
  ret
  .cfi_endproc
  .size oriel_elt_call, . - oriel_elt_call

  .purgem oriel_elt_begin
  .purgem oriel_elt_end
  .purgem oriel_elt_calls
  .popsection
)");
