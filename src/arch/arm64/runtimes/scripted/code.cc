// arm64 only: the machine code of the scripted runtime's methods.
#include <algorithm>
#include <cstring>

#include "runtimes/scripted/code.h"

namespace oriel::scripted {

void write_code(uint8_t* at) {
  static constexpr uint32_t kMethod[] = {
      0xa9bf7bfd,  // stp x29, x30, [sp, #-16]!
      0x910003fd,  // mov x29, sp
      0xf8408401,  // ldr x1, [x0], #8
      0xd63f0020,  // blr x1
      0xa8c17bfd,  // ldp x29, x30, [sp], #16
      0xd65f03c0,  // ret
  };
  static_assert(sizeof kMethod <= kCodeSize);
  constexpr uint32_t kBreakpoint = 0xd4200000;
  uint32_t code[kCodeSize / sizeof(uint32_t)];
  std::fill(std::begin(code), std::end(code), kBreakpoint);
  std::copy(std::begin(kMethod), std::end(kMethod), code);
  memcpy(at, code, sizeof code);
  // The processor does not see by itself that code has changed.
  __builtin___clear_cache(reinterpret_cast<char*>(at), reinterpret_cast<char*>(at + kCodeSize));
}

}  // namespace oriel::scripted
