#include "sampling/walk/patchpoint_x64.h"

namespace oriel::sampling {
namespace {

// Each looks at what ends at `end` and moves it to what is before.

bool take_call(const uint8_t*& end) {
  if (end[-5] == 0xe8) return end -= 5, true;                     // call rel32
  if (end[-6] == 0xff && end[-5] == 0x15) return end -= 6, true;  // call [rip + disp32]
  return false;
}

bool take_il_offset(const uint8_t*& end) {
  if (end[-5] == 0xbe) return end -= 5, true;                     // mov esi, imm32
  if (end[-2] == 0x33 && end[-1] == 0xf6) return end -= 2, true;  // xor esi, esi
  return false;
}

bool is_counter(const uint8_t* end) {
  const auto lea = [](const uint8_t* at, uint8_t modrm) { return at[0] == 0x48 && at[1] == 0x8d && at[2] == modrm; };
  return lea(end - 4, 0x7d) || lea(end - 7, 0xbd);  // lea rdi, [rbp + disp8 or disp32]
}

}  // namespace

bool is_patchpoint_call(const uint8_t* end) { return take_call(end) && take_il_offset(end) && is_counter(end); }

}  // namespace oriel::sampling
