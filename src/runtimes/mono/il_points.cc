#include "runtimes/mono/il_points.h"

#include <algorithm>
#include <span>

#include "runtimes/mono/functions.h"

namespace oriel::mono {
namespace {

// mono/metadata/mono-debug.h: MonoDebugLineNumberEntry, and of MonoDebugMethodJitInfo what precedes its variables.
struct LineNumber {
  uint32_t il;
  uint32_t code;
};
struct CompiledMethod {
  const uint8_t* code;
  uint32_t code_size;
  uint32_t prolog_end;
  uint32_t epilog_begin;
  const uint8_t* wrapper;
  uint32_t count;
  const LineNumber* numbers;
};

// What a Mono may lack.
struct DebugFunctions {
  Bool (*enabled)() = nullptr;
  CompiledMethod* (*find)(MonoMethod*, MonoDomain*) = nullptr;
  void (*free)(CompiledMethod*) = nullptr;

  bool are_there() const { return enabled && find && free; }
};

DebugFunctions find_debug_functions() {
  DebugFunctions found;
  found.enabled = reinterpret_cast<decltype(found.enabled)>(function_named("mono_debug_enabled"));
  found.find = reinterpret_cast<decltype(found.find)>(function_named("mono_debug_find_method"));
  found.free = reinterpret_cast<decltype(found.free)>(function_named("mono_debug_free_method_jit_info"));
  return found;
}

// Without the epilog's number, which is behind the method's IL. Code that seldom runs may follow the epilog.
std::vector<IlPoint> points_of(const CompiledMethod& method) {
  std::vector<IlPoint> points;
  for (const LineNumber& number : std::span(method.numbers, method.numbers ? method.count : 0))
    if (number.code != method.epilog_begin || method.epilog_begin == 0) points.push_back({number.code, number.il});
  std::ranges::stable_sort(points, {}, &IlPoint::code);
  return points;
}

}  // namespace

std::vector<IlPoint> il_points(MonoMethod* method, MonoDomain* domain, uintptr_t start) {
  static const DebugFunctions debug = find_debug_functions();
  if (!debug.are_there() || debug.enabled() == 0) return {};
  CompiledMethod* const found = debug.find(method, domain);
  if (!found) return {};
  std::vector<IlPoint> points;
  if (reinterpret_cast<uintptr_t>(found->code) == start) points = points_of(*found);
  debug.free(found);
  return points;
}

}  // namespace oriel::mono
