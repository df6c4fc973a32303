// Any script, on one thread: the engine must neither crash, nor leave a name out, nor take one method for another.
#include <cstdio>
#include <cstdlib>

#include "engine/engine.h"
#include "runtimes/scripted/player.h"

namespace {

oriel::scripted::ScriptedRuntime& runtime() {
  static auto* const made = [] {
    auto* it = new oriel::scripted::ScriptedRuntime;
    oriel::engine_start(*it);
    // Whoever listens makes events happen.
    const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
    oriel_profiler_set_jit_done_callback(handle, [](oriel_profiler*, oriel_method* method, const void* code, uint64_t) {
      oriel_frame frame;
      oriel_resolve_address(reinterpret_cast<uintptr_t>(code), oriel_clock(), &frame);
      if (frame.kind != ORIEL_FRAME_MANAGED || frame.method != method) {
        fputs("the code of a method that was just compiled is not found as its\n", stderr);
        abort();
      }
    });
    return it;
  }();
  return *made;
}

// So that no input depends on those before it.
void unload_everything() {
  oriel::scripted::Player player(runtime());
  using oriel::scripted::Kind;
  const std::pair<Kind, const char*> kinds[] = {
      {Kind::kImage, "image"}, {Kind::kAssembly, "assembly"}, {Kind::kDomain, "domain"}};
  for (const auto& [kind, word] : kinds) {
    for (const std::string& name : runtime().world().names(kind)) {
      oriel::scripted::Action unload;
      unload.verb = "unload";
      unload.words = {word, name};
      if (!player.play({unload})) abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto script = oriel::scripted::parse_script({reinterpret_cast<const char*>(data), size});
  if (!script) return -1;
  oriel::scripted::PlayerLimits limits;
  limits.real_time = false;
  limits.max_threads = 0;
  limits.max_rounds = 8;
  oriel::scripted::Player player(runtime(), limits);
  // Most scripts have an error somewhere; what was played until then counts.
  static_cast<void>(player.play(*script).is_ok());
  unload_everything();
  if (runtime().late_questions() > 0) {
    fputs("the engine asked for the name of something that was unloaded\n", stderr);
    abort();
  }
  return 0;
}
