#include "base/process/foreign_frame.h"

// All registers that a function must keep are on the stack below the return address (System V ABI: rdi act, rsi data,
// rdx frame). Its personality is oriel_foreign_frame.
asm(R"(
  .pushsection .text
  .globl oriel_foreign_call
  .hidden oriel_foreign_call
  .hidden oriel_foreign_frame
  .type oriel_foreign_call, @function
oriel_foreign_call:
  .cfi_startproc
  .cfi_personality 0x1b, oriel_foreign_frame
  endbr64
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  push %rbx
  .cfi_offset %rbx, -24
  push %r12
  .cfi_offset %r12, -32
  push %r13
  .cfi_offset %r13, -40
  push %r14
  .cfi_offset %r14, -48
  push %r15
  .cfi_offset %r15, -56
  sub $8, %rsp
  mov %rsp, (%rdx)
  mov %rdi, %rax
  mov %rsi, %rdi
  call *%rax
  xor %eax, %eax
.Loriel_foreign_call_end:
  add $8, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size oriel_foreign_call, . - oriel_foreign_call

  .globl oriel_foreign_return
  .hidden oriel_foreign_return
  .type oriel_foreign_return, @function
oriel_foreign_return:
  .cfi_startproc
  endbr64
  mov %rdi, %rsp
  mov %rsi, %rax
  jmp .Loriel_foreign_call_end
  .cfi_endproc
  .size oriel_foreign_return, . - oriel_foreign_return
  .popsection
)");
