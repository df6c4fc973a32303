// Compares Oriel's walks with Mono's own, at allocations, where Mono can walk its stack: liboriel-monostacks.so:FILE
// writes "STACKS FRAMES SAME" into the file, and the first differences behind them.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include "oriel/oriel.h"

namespace {

// What both tell of a frame of managed code: where in its method it is.
using Offsets = std::vector<int64_t>;
using Visit = int(void* method, int32_t native_offset, int32_t il_offset, int managed, void* data);

constexpr int kEach = 97;  // of so many allocations one is looked at
constexpr size_t kMostTold = 20;

void (*mono_stack_walk)(Visit*, void*) = nullptr;
std::string file;
std::mutex lock;  // guards what follows
uint64_t stacks = 0, frames = 0, same = 0;
std::vector<std::string> differences;

int take(void*, int32_t native_offset, int32_t, int, void* data) {
  static_cast<Offsets*>(data)->push_back(native_offset);
  return 0;
}

// Mono counts from a return address or from the call before it.
bool is_same(int64_t oriels, int64_t monos) { return oriels == monos || oriels == monos + 1; }

void compare(const Offsets& oriels, const std::vector<std::string>& names, const Offsets& monos) {
  const std::lock_guard guard(lock);
  ++stacks;
  frames += monos.size();
  // From the thread's start on: what ends early lacks the same number of outer frames.
  size_t equal = 0;
  for (size_t i = 0; i < monos.size() && i < oriels.size(); ++i) equal += is_same(oriels[i], monos[i]) ? 1 : 0;
  same += equal;
  if (equal == monos.size() || differences.size() >= kMostTold) return;
  std::string text = "oriel";
  for (size_t i = 0; i < oriels.size(); ++i) text += " " + names[i] + "+" + std::to_string(oriels[i]);
  text += "\n mono";
  for (const int64_t offset : monos) text += " " + std::to_string(offset);
  differences.push_back(text);
}

void on_allocation(oriel_profiler*, oriel_class*, uint64_t, oriel_object*, oriel_method*) {
  static thread_local int count = 0;
  if (++count % kEach != 0) return;
  Offsets monos, oriels;
  mono_stack_walk(take, &monos);
  std::vector<std::string> names;
  const uintptr_t* addresses = nullptr;
  bool truncated = false;
  const size_t depth = oriel_stack_walk_here(&addresses, &truncated);
  const std::vector<uintptr_t> walked(addresses, addresses + depth);  // names may need walks of their own
  for (const uintptr_t address : walked) {
    oriel_frame frame;
    oriel_resolve_address(address - 1, oriel_clock(), &frame);
    if (frame.kind != ORIEL_FRAME_MANAGED) continue;
    oriels.push_back(static_cast<int64_t>(address - frame.start));
    names.emplace_back(oriel_method_short_name(frame.method));
  }
  compare(oriels, names, monos);
}

bool choose(oriel_profiler*, oriel_method*) { return true; }

void on_end(oriel_profiler*) {
  const std::lock_guard guard(lock);
  FILE* const out = std::fopen(file.c_str(), "w");
  if (!out) return;
  std::fprintf(out, "%lu %lu %lu\n", stacks, frames, same);
  for (const std::string& difference : differences) std::fprintf(out, "%s\n", difference.c_str());
  std::fclose(out);
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_monostacks(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_monostacks(const char* args) {
  file = args;
  mono_stack_walk = reinterpret_cast<decltype(mono_stack_walk)>(dlsym(RTLD_DEFAULT, "mono_stack_walk"));
  if (!mono_stack_walk) return 1;
  const oriel_profiler_handle profiler = oriel_profiler_create(nullptr);
  oriel_profiler_set_allocation_filter_callback(profiler, choose);
  oriel_profiler_set_gc_allocation_callback(profiler, on_allocation);
  oriel_profiler_set_runtime_shutdown_begin_callback(profiler, on_end);
  const uintptr_t* addresses = nullptr;
  oriel_stack_walk_here(&addresses, nullptr);
  oriel_frame frame{};
  oriel_resolve_address(0, 0, &frame);  // methods are to be known from the first
  return 0;
}
