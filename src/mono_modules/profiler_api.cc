// The functions of Mono's profiler API that modules call.
#include <cstdio>
#include <exception>
#include <new>

#include "mono_modules/load.h"
#include "mono_modules/profiler.h"

namespace oriel::mono_modules {
namespace {

constexpr const char* kNames[] = {
#define ORIEL_MONO_EVENT(name, type, parameters, why_not) #name,
#include "oriel/mono_events.def"
#undef ORIEL_MONO_EVENT
};

// Why CoreCLR does not tell of it; nullptr if it does.
constexpr const char* kMissing[] = {
#define ORIEL_MONO_EVENT(name, type, parameters, why_not) why_not,
#include "oriel/mono_events.def"
#undef ORIEL_MONO_EVENT
};

constinit std::array<std::atomic<bool>, static_cast<size_t>(Event::kCount)> said{};

void on_cleanup(oriel_profiler* state) {
  const Profiler* const profiler = profiler_of(state);
  if (const auto callback = profiler->cleanup.load()) callback(profiler->module);
}

// With callbacks that may lock and ask for names, as Mono's may. Mono's flags have the same values.
uint32_t choose_calls(oriel_profiler* state, oriel_method* method) {
  const Profiler* const profiler = profiler_of(state);
  const auto filter = profiler->call_filter.load();
  const uint32_t chosen = filter ? filter(profiler->module, method) : 0;
  uint32_t calls = ORIEL_CALLS_NONE;
  if (chosen & (ORIEL_CALLS_ENTER | ORIEL_CALLS_ENTER_CONTEXT)) calls |= ORIEL_CALLS_ENTER_FULL;
  if (chosen & (ORIEL_CALLS_LEAVE | ORIEL_CALLS_LEAVE_CONTEXT)) calls |= ORIEL_CALLS_LEAVE_FULL;
  if (chosen & ORIEL_CALLS_TAIL_CALL) calls |= ORIEL_CALLS_TAIL_CALL | ORIEL_CALLS_FULL;
  if (chosen & ORIEL_CALLS_EXCEPTION_LEAVE) calls |= ORIEL_CALLS_EXCEPTION_LEAVE | ORIEL_CALLS_FULL;
  return calls;
}

bool choose_coverage(oriel_profiler* state, oriel_method* method) {
  const Profiler* const profiler = profiler_of(state);
  const auto filter = profiler->coverage_filter.load();
  return filter && filter(profiler->module, method) != 0;
}

using CoverageCallback = void (*)(MonoProfiler*, const MonoCoverage*);
thread_local CoverageCallback coverage_callback = nullptr;

// Mono tells of places in source files, as often as their block ran.
void tell_coverage(oriel_profiler* state, const oriel_coverage_data* data) {
  if (data->outcome != ORIEL_NO_OUTCOME) return;
  oriel_source source{};
  const bool has_source = oriel_method_source(data->method, data->il_offset, &source);
  const auto count = static_cast<uint32_t>(data->count < UINT32_MAX ? data->count : UINT32_MAX);
  const MonoCoverage told{data->method,
                          data->il_offset,
                          count,
                          has_source ? source.file : "",
                          has_source ? source.line : 0,
                          has_source ? source.column : 0};
  coverage_callback(profiler_of(state)->module, &told);
}

}  // namespace

void set_callback(Profiler& profiler, Event event, void* callback) {
  const auto number = static_cast<size_t>(event);
  profiler.callbacks[number].store(callback, std::memory_order_release);
  if (listen(profiler, event, callback != nullptr) || callback == nullptr || said[number].exchange(true)) return;
  char text[320];
  snprintf(text, sizeof text, "a module for Mono waits for %s, of which CoreCLR does not tell: %s", kNames[number],
           kMissing[number]);
  oriel_warn(text);
}

#define ORIEL_MONO_EVENT(name, type, parameters, why_not)                                 \
  MONO_API void mono_profiler_set_##name##_callback(Profiler* profiler, void* callback) { \
    set_callback(*profiler, Event::name, callback);                                       \
  }
#include "oriel/mono_events.def"
#undef ORIEL_MONO_EVENT

MONO_API Profiler* mono_profiler_create(MonoProfiler* module) {
  auto* const profiler = new (std::nothrow) Profiler;
  if (!profiler) return nullptr;
  profiler->module = module;
  profiler->handle = oriel_profiler_create(reinterpret_cast<oriel_profiler*>(profiler));
  return profiler;
}

MONO_API void mono_profiler_load(const char* description) {
  try {
    load(description);
  } catch (const std::exception&) {
    oriel_warn("a module for Mono is not loaded: there is no memory");
  }
}

MONO_API void mono_profiler_set_cleanup_callback(Profiler* profiler, void (*callback)(MonoProfiler*)) {
  profiler->cleanup.store(callback);
  oriel_profiler_set_cleanup_callback(profiler->handle, callback ? on_cleanup : nullptr);
}

MONO_API void mono_profiler_set_call_instrumentation_filter_callback(Profiler* profiler,
                                                                     uint32_t (*filter)(MonoProfiler*, MonoMethod*)) {
  profiler->call_filter.store(filter);
  oriel_profiler_set_call_instrumentation_filter_callback(profiler->handle, filter ? choose_calls : nullptr);
}

// Not needed here: contexts come with every callback, and what is listened to is turned on.
MONO_API Bool mono_profiler_enable_call_context_introspection() { return 1; }
MONO_API Bool mono_profiler_enable_allocations() { return 1; }
MONO_API Bool mono_profiler_enable_clauses() { return 1; }
MONO_API Bool mono_profiler_enable_coverage() { return oriel_instrumentation_possible(); }

MONO_API void* mono_profiler_call_context_get_this(const void* context) { return oriel_call_context_get_this(context); }
MONO_API void* mono_profiler_call_context_get_argument(const void* context, uint32_t position) {
  return oriel_call_context_get_argument(context, position);
}
MONO_API void* mono_profiler_call_context_get_local(const void* context, uint32_t position) {
  return oriel_call_context_get_local(context, position);
}
MONO_API void* mono_profiler_call_context_get_result(const void* context) {
  return oriel_call_context_get_result(context);
}
MONO_API void mono_profiler_call_context_free_buffer(void* buffer) { oriel_call_context_free_buffer(buffer); }

MONO_API Bool mono_profiler_enable_sampling(Profiler* profiler) { return oriel_enable_sampling(profiler->handle); }
MONO_API Bool mono_profiler_set_sample_mode(Profiler* profiler, int mode, uint32_t hz) {
  return oriel_set_sample_mode(profiler->handle, static_cast<oriel_sample_mode>(mode), hz);
}
MONO_API Bool mono_profiler_get_sample_mode(Profiler* profiler, int* mode, uint32_t* hz) {
  oriel_sample_mode now = ORIEL_SAMPLE_NONE;
  const bool is_owner = oriel_get_sample_mode(profiler ? profiler->handle : nullptr, &now, hz);
  // Mono has no name for what is more than one of its modes.
  if (mode) *mode = now == ORIEL_SAMPLE_PROCESS_AND_WAITS ? ORIEL_SAMPLE_PROCESS : now;
  return is_owner;
}

MONO_API void mono_profiler_set_coverage_filter_callback(Profiler* profiler,
                                                         Bool (*filter)(MonoProfiler*, MonoMethod*)) {
  profiler->coverage_filter.store(filter);
  if (filter) oriel_enable_coverage(profiler->handle, ORIEL_COVERAGE_COUNT);
  oriel_profiler_set_coverage_filter_callback(profiler->handle, filter ? choose_coverage : nullptr);
}
MONO_API Bool mono_profiler_get_coverage_data(Profiler* profiler, MonoMethod* method, CoverageCallback callback) {
  coverage_callback = callback;
  return oriel_get_coverage_data(profiler->handle, method, callback ? tell_coverage : nullptr);
}

}  // namespace oriel::mono_modules
