#include "runtimes/coreclr/code_purpose.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/text/path.h"
#include "runtimes/coreclr/code_shape.h"

namespace oriel::coreclr {
namespace {

struct Shape {
  const char* purpose;
  const char* pattern;
};

// CoreCLR 8 to 10 on x64, as its assembly sources and compilers generate them; found anywhere in a function.
constexpr Shape kFunctions[] = {
    // The pseudo-random numbers for sampling PGO counters: three shifts and exclusive ors.
    {"[PGO counting]", "c1 e? 0d * c1 e? 11 * c1 e? 05"},
    // All six argument registers saved for a call whose target is looked up first: methods not yet compiled, first
    // calls of precompiled code, interfaces.
    {"[call preparation]", "41 51 41 50 51 52 56 57"},
    // The thread's allocation context, its pointer, and what is left up to its limit.
    {"[allocation]", "66 48 8d 3d ?? ?? ?? ?? 66 66 48 e8 ?? ?? ?? ?? * 48 8b ?? 08 48 8b ?? 48 29"},
    // A frame for the collector, passed as the fourth argument: when that context is used up.
    {"[allocation]", "48 8d 64 24 ?? 48 8d 4c 24 08"},
    // Reads a card, and marks it unless it is marked.
    {"[write barrier]", "80 3? ?? ff * c6 0? ?? ff"},
    // An object's header: neither hashed nor spun on nor locked; one more lock held by this thread; written if
    // unchanged.
    {"[taking a lock]", "ff ff 3f 18 * 00 00 3f 00 * 0f b1 ?? fc"},
    // One lock less.
    {"[leaving a lock]", "00 00 3f 00 * 8d ?? 00 00 ff ff * 0f b1 ?? fc"},
    // Copies from one place in memory to another.
    {"[write barrier]", "48 8b 0e 48 89 0f"},
    // Checks the bounds of the heap first.
    {"[write barrier]", "48 8d 05 ?? ?? ?? ?? 48 3b 38 72"},
};
constexpr size_t kMostOfFunction = 256;

// Parts of stubs, with the next instruction anywhere in them or just after.
constexpr Shape kStubs[] = {
    // Methods are called through these until they are compiled, or for good if code may still be replaced.
    {"[call thunk]", "ff 25 ?? ?? ?? ?? 4c 8b 15 ?? ?? ?? ?? ff 25 ?? ?? ?? ??"},
    {"[call thunk]", "4c 8b 15 ?? ?? ?? ?? ff 25 ?? ?? ?? ??"},
    // Virtual methods, through the type's table.
    {"[virtual call stub]", "48 8b 07 48 8b 40 ?? ff 60 ??"},
    {"[virtual call stub]", "48 8b 07 48 8b 80 ?? ?? ?? ?? ff ?? ??"},
    {"[virtual call stub]", "48 8b 07 ff ?? ??"},
    // Interface methods: the only type seen so far, and a hash table of several.
    {"[interface call stub]", "48 b8 ?? ?? ?? ?? ?? ?? ?? ?? 48 39 07 0f 85 ?? ?? ?? ??"},
    {"[interface call stub]", "48 b8 ?? ?? ?? ?? ?? ?? ?? ?? 48 3b 07 75 ??"},
    {"[interface call stub]", "52 49 ba ?? ?? ?? ?? ?? ?? ?? ?? 48 8b d0 48 c1 e8 ??"},
    {"[interface call stub]", "48 3b 50 00 75 ?? 4c 3b 50 08"},
    // Counts a method's calls, until it is worth recompiling.
    {"[call counting]", "48 8b 05 ?? ?? ?? ?? 66 ff 08 74 06 ff 25 ?? ?? ?? ??"},
    // Slots of generic dictionaries and of static fields, which may have to be created first.
    {"[look-up]", "48 85 c0 74 01 c3"},
    {"[look-up]", "48 8b 4? ?? 48 8b 40 ?? 48 8b 40 ??"},
    {"[look-up]", "48 8b 4? ?? 48 8b 40 ?? 48 85 c0"},
    {"[look-up]", "48 a1 ?? ?? ?? ?? ?? ?? ?? ?? 48 83 c0 08 c3"},
    // Adds an argument to those of a helper.
    {"[helper thunk]", "48 b? ?? ?? ?? ?? ?? ?? ?? ?? e9 ?? ?? ?? ??"},
    {"[helper thunk]", "48 8b f7 48 bf"},
};
// The write barrier is copied into such code, with the heap's bounds in it.
constexpr char kCopiedBarrier[] = "80 3? ?? ff";
constexpr char kCopiedRegionBarrier[] = "48 c1 e? 16";

}  // namespace

const char* purpose_of_function(const oriel_native& function) {
  if (!file_name(function.library).starts_with("libcoreclr")) return "";
  std::vector<uint8_t> code(std::min(function.size, kMostOfFunction));
  if (code.empty() || !oriel_read_code(function.start, code.data(), code.size())) return "";
  for (const Shape& shape : kFunctions)
    if (has_shape(code, shape.pattern)) return shape.purpose;
  return "";
}

const char* purpose_of_stub(uintptr_t address) {
  constexpr size_t kBefore = 24;
  constexpr size_t kAfter = 40;
  uint8_t code[kBefore + kAfter];
  if (!oriel_read_code(address - kBefore, code, sizeof(code))) return "";
  for (const Shape& stub : kStubs) {
    const size_t length = shape_length(stub.pattern);
    for (size_t at = kBefore - std::min(kBefore, length - 1); at <= kBefore; ++at)
      if (begins_with_shape(std::span(code).subspan(at), stub.pattern)) return stub.purpose;
  }
  for (const char* barrier : {kCopiedBarrier, kCopiedRegionBarrier})
    if (has_shape(code, barrier)) return "[write barrier]";
  return "";
}

}  // namespace oriel::coreclr
