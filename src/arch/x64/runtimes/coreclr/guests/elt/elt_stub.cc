#include "runtimes/coreclr/guests/elt/elt_stub.h"

// The last hook of a list is reached by a jump, as if the method's code had called it: so client ids stay in r14 or
// rdi, which the method saved before it put them there, and r11 is clobbered, as in the runtime's own code between a
// method and a hook. Until then the frame pointer keeps the way back, for stack walks out of a hook.
asm(R"(
  .pushsection .text

  .macro oriel_elt_begin name
  .globl \name
  .hidden \name
  .type \name, @function
\name:
  .cfi_startproc
  endbr64
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  push %rbx
  .cfi_offset %rbx, -24
  .endm

  .macro oriel_elt_end name, away
  pop %rbx
  .cfi_restore %rbx
  pop %rbp
  .cfi_restore %rbp
  .cfi_def_cfa %rsp, 8
  \away
  .cfi_endproc
  .size \name, . - \name
  .endm

oriel_elt_begin oriel_elt_enter
  sub $8, %rsp
  mov %r14, %rbx
1:
  cmpq $0, 48(%rbx)
  je 2f
  mov 24(%rbx), %r14
  call *(%rbx)
  add $48, %rbx
  jmp 1b
2:
  mov 24(%rbx), %r14
  mov (%rbx), %r11
  add $8, %rsp
oriel_elt_end oriel_elt_enter, "jmp *%r11"

  .macro oriel_elt_at_end name, offset
oriel_elt_begin \name
  push %r12
  .cfi_offset %r12, -32
  mov %rdi, %rbx
  mov %rsi, %r12
1:
  cmpq $0, 48(%rbx)
  je 2f
  mov 24(%rbx), %rdi
  call *\offset(%rbx)
  mov %r12, %rsi
  add $48, %rbx
  jmp 1b
2:
  mov 24(%rbx), %rdi
  mov \offset(%rbx), %r11
  pop %r12
  .cfi_restore %r12
oriel_elt_end \name, "jmp *%r11"
  .endm
oriel_elt_at_end oriel_elt_leave, 8
oriel_elt_at_end oriel_elt_tail_call, 16

  .globl oriel_elt_nothing
  .hidden oriel_elt_nothing
  .type oriel_elt_nothing, @function
oriel_elt_nothing:
  .cfi_startproc
  endbr64
  ret
  .cfi_endproc
  .size oriel_elt_nothing, . - oriel_elt_nothing

  # Both places for the id, as the hook may be of either end. Nobody here knows the caller's stack pointer.
oriel_elt_begin oriel_elt_call
  push %r14
  .cfi_offset %r14, -32
  push %r15
  .cfi_offset %r15, -40
  sub $8, %rsp
  mov %rdi, %r11
  mov %rsi, %rdi
  mov %rdi, %r14
  xor %esi, %esi
  xor %r15d, %r15d
  call *%r11
  add $8, %rsp
  pop %r15
  .cfi_restore %r15
  pop %r14
  .cfi_restore %r14
oriel_elt_end oriel_elt_call, ret

  .purgem oriel_elt_begin
  .purgem oriel_elt_end
  .purgem oriel_elt_at_end
  .popsection
)");
