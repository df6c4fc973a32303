#include "modules/system_call.h"

#include <algorithm>
#include <string>

#include "base/text/path.h"
#include "oriel/oriel.h"

namespace oriel::modules {
namespace {

// The instruction `syscall`.
bool is_syscall(const uint8_t* code) { return code[0] == 0x0f && code[1] == 0x05; }

}  // namespace

bool is_system_call(std::string_view library, uintptr_t address) {
  constexpr std::string_view kMakers[] = {"libc.", "libc-", "libpthread", "ld-"};
  const std::string name = file_name(library);
  if (std::ranges::none_of(kMakers, [&](std::string_view maker) { return name.starts_with(maker); })) return false;
  // The kernel sets the instruction pointer back to an interrupted call that it will restart.
  uint8_t code[4];
  return oriel_read_code(address - 2, code, sizeof(code)) && (is_syscall(code) || is_syscall(code + 2));
}

}  // namespace oriel::modules
