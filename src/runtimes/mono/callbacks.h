// What Mono calls, by theme, and which of the engine's events come of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/process/kept_errno.h"
#include "engine/runtime.h"
#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

// Whether a callback is set without listeners to its events.
enum class Need : uint8_t { kEventsOnly, kAlways };

// One of Mono's callbacks: mono_profiler_set_NAME_callback, and what it is set to.
struct Callback {
  static constexpr size_t kMostEvents = 8;
  const char* name;
  void (*handler)();
  Need need;
  uint32_t events[kMostEvents];  // that it raises, or that need it; 0: no more
};

std::span<const Callback> all_callbacks();

bool is_needed(const Callback& callback, const RuntimeNeeds& needs);

// A callback's body: exceptions (no memory) end it and not the program, which finds errno as it was.
template <typename Body>
void guarded(Body body) noexcept {
  const KeptErrno kept;
  try {
    body();
  } catch (...) {
  }
}

// begin.cc
void on_runtime_initialized(MonoProfiler*);
void on_runtime_shutdown_begin(MonoProfiler*);
void on_runtime_shutdown_end(MonoProfiler*);

// callback_loads.cc
#define MONO_LOADS(thing, Id)                         \
  void on_##thing##_loading(MonoProfiler*, Id* id);   \
  void on_##thing##_loaded(MonoProfiler*, Id* id);    \
  void on_##thing##_unloading(MonoProfiler*, Id* id); \
  void on_##thing##_unloaded(MonoProfiler*, Id* id);
MONO_LOADS(domain, MonoDomain)
MONO_LOADS(assembly, MonoAssembly)
MONO_LOADS(image, MonoImage)
#undef MONO_LOADS
void on_image_failed(MonoProfiler*, MonoImage* image);
void on_class_loaded(MonoProfiler*, MonoClass* klass);
void on_class_failed(MonoProfiler*, MonoClass* klass);

// How often something was unloaded or freed, whose ids Mono may use again.
uint32_t frees_so_far();
void count_free();

// callback_jit.cc
void on_jit_begin(MonoProfiler*, MonoMethod* method);
void on_jit_done(MonoProfiler*, MonoMethod* method, MonoJitInfo* code);
void on_jit_failed(MonoProfiler*, MonoMethod* method);
void on_method_free(MonoProfiler*, MonoMethod* method);

// callback_threads.cc
void on_thread_started(MonoProfiler*, uintptr_t thread);
void on_thread_stopped(MonoProfiler*, uintptr_t thread);
void on_thread_name(MonoProfiler*, uintptr_t thread, const char* name);
void on_monitor_contention(MonoProfiler*, MonoObject* object);
void on_monitor_failed(MonoProfiler*, MonoObject* object);
void on_monitor_acquired(MonoProfiler*, MonoObject* object);

// callback_gc.cc
void on_gc_event(MonoProfiler*, uint32_t event, uint32_t generation, Bool is_serial);
void on_gc_moves(MonoProfiler*, MonoObject* const* objects, uint64_t count);
void on_gc_handle_created(MonoProfiler*, uint32_t handle, uint32_t type, MonoObject* object);
void on_gc_handle_deleted(MonoProfiler*, uint32_t handle, uint32_t type);
void on_gc_finalizing(MonoProfiler*);
void on_gc_finalized(MonoProfiler*);
void on_gc_finalizing_object(MonoProfiler*, MonoObject* object);

// callback_exceptions.cc
void on_exception_throw(MonoProfiler*, MonoObject* exception);
void on_exception_clause(MonoProfiler*, MonoMethod* method, uint32_t index, uint32_t kind, MonoObject* exception);

// callback_calls.cc
void on_method_enter(MonoProfiler*, MonoMethod* method, MonoProfilerCallContext*);
void on_method_leave(MonoProfiler*, MonoMethod* method, MonoProfilerCallContext*);
void on_method_tail_call(MonoProfiler*, MonoMethod* method, MonoMethod* target);
void on_method_exception_leave(MonoProfiler*, MonoMethod* method, MonoObject* exception);
void on_gc_allocation(MonoProfiler*, MonoObject* object);
// Mono asks for each method that it compiles.
uint32_t choose_calls(MonoProfiler*, MonoMethod* method);

}  // namespace oriel::mono
