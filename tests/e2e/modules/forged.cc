// A library for a program that calls it: a frame whose caller's frame pointer and return address are made up.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

// Runs `turns` loops with the frame pointer at `fake`. Its code says that it goes back by the frame pointer, which it
// never does; it has no call-frame information.
asm(R"(
    .text
    .globl forged_spin
    .type forged_spin, @function
forged_spin:
    push %rbp
    push %rbx
    mov %rsp, %rbx
    mov %rdi, %rbp
1:  dec %rsi
    jz 2f
    test %rsp, %rsp
    jnz 1b
    leave
    ret
2:  mov %rbx, %rsp
    pop %rbx
    pop %rbp
    ret
    .size forged_spin, . - forged_spin
)");
extern "C" void forged_spin(uintptr_t* fake, uint64_t turns);

namespace {

struct Code {
  uintptr_t start = 0;
  uintptr_t end = 0;
};

Code find_precompiled() {
  Code code;
  FILE* const maps = std::fopen("/proc/self/maps", "re");
  char line[4096];
  while (maps && std::fgets(line, sizeof(line), maps)) {
    char access[8] = "";
    uintptr_t start = 0, end = 0;
    if (std::sscanf(line, "%lx-%lx %7s", &start, &end, access) != 3 || access[2] != 'x') continue;
    if (std::strstr(line, "System.Private.CoreLib.dll")) code = {start, end};
  }
  if (maps) std::fclose(maps);
  return code;
}

// Where a call is followed by something: every such address in the first pages, and some of the rest.
std::vector<uintptr_t> addresses_after_calls(Code code) {
  std::vector<uintptr_t> found;
  const auto* const bytes = reinterpret_cast<const uint8_t*>(code.start);
  size_t calls = 0;
  for (size_t at = 6; at < code.end - code.start; ++at) {
    if (bytes[at - 6] != 0xff || bytes[at - 5] != 0x15) continue;
    if (at < 65536 || ++calls % 7 == 0) found.push_back(code.start + at);
  }
  return found;
}

}  // namespace

// Fills `stack`, `words` long, with addresses in code that the program does not use, and runs on it for a while.
extern "C" __attribute__((visibility("default"))) int oriel_test_forge(uintptr_t* stack, int words, int seed) {
  static const std::vector<uintptr_t> addresses = addresses_after_calls(find_precompiled());
  if (addresses.empty()) return 0;
  std::minstd_rand random(static_cast<unsigned>(seed));
  for (int i = 0; i < words; ++i) stack[i] = addresses[random() % (seed % 2 == 0 ? 200 : addresses.size())];
  forged_spin(stack, 3'000'000);
  return static_cast<int>(addresses.size());
}
