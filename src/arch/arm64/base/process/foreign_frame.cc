#include "base/process/foreign_frame.h"

// All registers that a function must keep are on the stack (AAPCS64: x0 act, x1 data, x2 frame). Its personality is
// oriel_foreign_frame.
asm(R"(
  .pushsection .text
  .globl oriel_foreign_call
  .hidden oriel_foreign_call
  .hidden oriel_foreign_frame
  .type oriel_foreign_call, @function
  .p2align 2
oriel_foreign_call:
  .cfi_startproc
  .cfi_personality 0x1b, oriel_foreign_frame
  stp x29, x30, [sp, #-160]!
  .cfi_def_cfa_offset 160
  .cfi_offset x29, -160
  .cfi_offset x30, -152
  mov x29, sp
  .cfi_def_cfa_register x29
  stp x19, x20, [sp, #16]
  .cfi_offset x19, -144
  .cfi_offset x20, -136
  stp x21, x22, [sp, #32]
  .cfi_offset x21, -128
  .cfi_offset x22, -120
  stp x23, x24, [sp, #48]
  .cfi_offset x23, -112
  .cfi_offset x24, -104
  stp x25, x26, [sp, #64]
  .cfi_offset x25, -96
  .cfi_offset x26, -88
  stp x27, x28, [sp, #80]
  .cfi_offset x27, -80
  .cfi_offset x28, -72
  stp d8, d9, [sp, #96]
  .cfi_offset d8, -64
  .cfi_offset d9, -56
  stp d10, d11, [sp, #112]
  .cfi_offset d10, -48
  .cfi_offset d11, -40
  stp d12, d13, [sp, #128]
  .cfi_offset d12, -32
  .cfi_offset d13, -24
  stp d14, d15, [sp, #144]
  .cfi_offset d14, -16
  .cfi_offset d15, -8
  str x29, [x2]
  mov x9, x0
  mov x0, x1
  blr x9
  mov x0, #0
.Loriel_foreign_call_end:
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  ldp x29, x30, [sp], #160
  .cfi_def_cfa sp, 0
  ret
  .cfi_endproc
  .size oriel_foreign_call, . - oriel_foreign_call

  .globl oriel_foreign_return
  .hidden oriel_foreign_return
  .type oriel_foreign_return, @function
oriel_foreign_return:
  .cfi_startproc
  mov sp, x0
  mov x0, x1
  b .Loriel_foreign_call_end
  .cfi_endproc
  .size oriel_foreign_return, . - oriel_foreign_return
  .popsection
)");
