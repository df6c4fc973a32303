// Resolution of addresses in stacks.
#include <fcntl.h>
#include <unistd.h>

#include "base/files/descriptor.h"
#include "engine/engine_thread.h"
#include "engine/lifecycle.h"
#include "engine/or_else.h"
#include "engine/things/code_map.h"
#include "symbols/symbols.h"

namespace oriel {
namespace {

bool ask_runtime(uintptr_t address, uint64_t when, CodeRange& range) {
  Runtime* const runtime = runtime_to_ask();
  if (!runtime) return false;
  const uint64_t removals = code_map().removals();
  uintptr_t start = 0;
  size_t size = 0;
  oriel_method* const method = runtime->method_at(address, &start, &size);
  return method && code_map().learn(method, start, size, removals, range) && range.born <= when;
}

// If `ask`, also in code that no event reported.
bool find_managed(uintptr_t address, uint64_t when, bool ask, oriel_frame& frame) {
  CodeRange range;
  CodeMap::Answer answer = code_map().find(address, when, range);
  if (answer == CodeMap::Answer::kUnknown && ask && ask_runtime(address, when, range)) answer = CodeMap::Answer::kFound;
  if (answer != CodeMap::Answer::kFound) return false;
  frame.kind = ORIEL_FRAME_MANAGED;
  frame.method = range.method;
  frame.start = range.start;
  return true;
}

bool find_native(uintptr_t address, oriel_frame& frame) {
  symbols::Symbol symbol;
  if (!symbols::find(address, symbol)) return false;
  frame.kind = ORIEL_FRAME_NATIVE;
  frame.library = symbol.library;
  frame.symbol = symbol.name;
  frame.start = symbol.start;
  return true;
}

bool read_own_memory(uintptr_t address, void* to, size_t size) {
  const int memory = open_with_high_number("/proc/self/mem", O_RDONLY);
  if (memory < 0) return false;
  const ssize_t got = pread(memory, to, size, static_cast<off_t>(address));
  close(memory);
  return got == static_cast<ssize_t>(size);
}

}  // namespace
}  // namespace oriel

bool oriel_resolve_native(uintptr_t address, oriel_native* native) {
  *native = oriel_native{};
  oriel::symbols::Library library;
  oriel::symbols::Symbol symbol;
  if (!oriel::symbols::find_library(address, library) || !oriel::symbols::find(address, symbol)) return false;
  *native = {library.path, library.bias, library.build_id, library.build_id_size, 0, 0};
  if (symbol.size == 0) return true;
  native->start = symbol.start;
  native->size = symbol.size;
  return true;
}

bool oriel_read_code(uintptr_t address, void* to, size_t size) {
  oriel::symbols::Library library;
  if (oriel::symbols::find_library(address, library)) return oriel::symbols::read_code(address, to, size);
  return oriel::read_own_memory(address, to, size);
}

const char* oriel_native_purpose(const oriel_native* function) {
  oriel::Runtime* const runtime = oriel::runtime_to_ask();
  return runtime ? oriel::or_else("", [&] { return runtime->purpose_of_function(*function); }) : "";
}

const char* oriel_stub_purpose(uintptr_t address) {
  oriel::Runtime* const runtime = oriel::runtime_to_ask();
  return runtime ? oriel::or_else("", [&] { return runtime->purpose_of_stub(address); }) : "";
}

void oriel_resolve_address(uintptr_t address, uint64_t when, oriel_frame* frame) {
  *frame = oriel_frame{};
  oriel::engine_thread::want_code_map();
  oriel::attempt([&] {
    if (oriel::find_managed(address, when, false, *frame) || oriel::find_native(address, *frame)) return;
    if (oriel::find_managed(address, when, true, *frame)) return;
    if (oriel::executable_mapping(address).generated) frame->kind = ORIEL_FRAME_STUB;
  });
}
