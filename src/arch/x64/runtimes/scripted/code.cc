// x64 only: the machine code of the scripted runtime's methods.
#include <cstring>

#include "runtimes/scripted/code.h"

namespace oriel::scripted {

void write_code(uint8_t* at) {
  static constexpr uint8_t kMethod[] = {
      0x55,                    // push rbp
      0x48, 0x89, 0xe5,        // mov rbp, rsp
      0x48, 0x8b, 0x07,        // mov rax, [rdi]
      0x48, 0x83, 0xc7, 0x08,  // add rdi, 8
      0xff, 0xd0,              // call rax
      0x5d,                    // pop rbp
      0xc3,                    // ret
  };
  static_assert(sizeof kMethod <= kCodeSize);
  memset(at, 0xcc, kCodeSize);
  memcpy(at, kMethod, sizeof kMethod);
}

}  // namespace oriel::scripted
