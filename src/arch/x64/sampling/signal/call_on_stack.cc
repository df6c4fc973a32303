#include "sampling/signal/handler.h"

// The frame pointer keeps the way back (System V ABI: rdi top, rsi function, rdx argument).
asm(R"(
  .pushsection .text
  .globl oriel_call_on_stack
  .hidden oriel_call_on_stack
  .type oriel_call_on_stack, @function
oriel_call_on_stack:
  .cfi_startproc
  endbr64
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  mov %rdi, %rsp
  mov %rdx, %rdi
  call *%rsi
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size oriel_call_on_stack, . - oriel_call_on_stack
  .popsection
)");
