#include "modules/system_call.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/text/path.h"
#include "oriel/oriel.h"

namespace oriel::modules {

bool is_system_call(std::string_view library, uintptr_t address) {
  constexpr uint32_t kSystemCall = 0xd4000001;  // svc #0
  constexpr std::string_view kMakers[] = {"libc.", "libc-", "libpthread", "ld-"};
  const std::string name = file_name(library);
  if (std::ranges::none_of(kMakers, [&](std::string_view maker) { return name.starts_with(maker); })) return false;
  // The kernel sets the program counter back to an interrupted call that it will restart.
  uint32_t code[2];
  return oriel_read_code(address - sizeof(*code), code, sizeof(code)) &&
         (code[0] == kSystemCall || code[1] == kSystemCall);
}

}  // namespace oriel::modules
