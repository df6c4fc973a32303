// A module for tests of stacks: a program that loads it too asks it for the names of the methods on its own stack.
#include <oriel/oriel.h>

#include <cstring>
#include <string>
#include <thread>

namespace {

// "Shop.Cart+<AddAsync>d__3.MoveNext" of "Shop.Cart+<AddAsync>d__3.MoveNext(System.String)".
std::string without_parameters(const char* name) {
  const char* const end = std::strchr(name, '(');
  return end ? std::string(name, end) : std::string(name);
}

void add_name(uintptr_t address, std::string& all) {
  oriel_frame frame{};
  oriel_resolve_address(address - 1, oriel_clock(), &frame);
  if (frame.kind == ORIEL_FRAME_MANAGED) all += without_parameters(oriel_method_raw_name(frame.method)) + "\n";
}

}  // namespace

// Writes the methods of the calling thread's stack to `text`, one a line, innermost first; returns how many bytes.
ORIEL_MODULE_EXPORT intptr_t oriel_test_walk(char* text, intptr_t size) {
  const uintptr_t* frames = nullptr;
  bool truncated = false;
  const size_t depth = oriel_stack_walk_here(&frames, &truncated);
  std::string all;
  // Not on this thread: the runtime answers nothing to one that has managed code on its stack.
  std::thread([&] {
    for (size_t i = 0; i < depth; ++i) add_name(frames[i], all);
  }).join();
  if (truncated) all += "[broken]\n";
  if (all.size() > static_cast<size_t>(size)) all.resize(static_cast<size_t>(size));
  std::memcpy(text, all.data(), all.size());
  return static_cast<intptr_t>(all.size());
}

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_frames(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_frames(const char*) {
  const uintptr_t* frames = nullptr;
  bool truncated = false;
  oriel_stack_walk_here(&frames, &truncated);
  oriel_frame frame{};
  oriel_resolve_address(0, 0, &frame);  // methods are to be known from the first
  oriel_profiler_create(nullptr);
  return 0;
}
