#include "runtimes/coreclr/code_purpose.h"

#include <algorithm>
#include <span>

#include "runtimes/coreclr/code_shape.h"

namespace oriel::coreclr {
namespace {

struct Shape {
  const char* purpose;
  const char* pattern;
};

// Parts of CoreCLR's stubs on arm64, as version 10 has them, with the next instruction anywhere in them.
constexpr Shape kStubs[] = {
    // Methods are called through these until they are compiled, or for good if code may still be replaced: ldr x11,
    // target; br x11; dmb ishld; ldr x12, method; ldr x11, compiler; br x11
    {"[call thunk]", "?b ?? ?? 58 60 01 1f d6 bf 39 03 d5 ?c ?? ?? 58 ?b ?? ?? 58 60 01 1f d6"},
    // ldr x10, target; ldr x12, method; br x10
    {"[call thunk]", "?a ?? ?? 58 ?c ?? ?? 58 40 01 1f d6"},
    // Counts a method's calls, until it is worth recompiling: ldr x9, count; ldrh w10, [x9]; subs w10, w10, #1; strh
    // w10, [x9]; b.eq; ldr x9, target; br x9
    {"[call counting]", "?9 ?? ?? 58 2a 01 40 79 4a 05 00 71 2a 01 00 79 ?? ?? ?? 54 ?9 ?? ?? 58 20 01 1f d6"},
};

}  // namespace

// Which functions of the library do what is not known yet: they are shown as the library's.
const char* purpose_of_function(const oriel_native&) { return ""; }

const char* purpose_of_stub(uintptr_t address) {
  constexpr size_t kInstruction = 4;
  constexpr size_t kBefore = 24;
  constexpr size_t kAfter = 28;
  uint8_t code[kBefore + kAfter];
  if (!oriel_read_code(address - kBefore, code, sizeof(code))) return "";
  for (const Shape& stub : kStubs) {
    const size_t length = shape_length(stub.pattern);
    for (size_t at = kBefore - std::min(kBefore, length - kInstruction); at <= kBefore; at += kInstruction)
      if (begins_with_shape(std::span(code).subspan(at), stub.pattern)) return stub.purpose;
  }
  return "";
}

}  // namespace oriel::coreclr
