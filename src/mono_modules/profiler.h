// One profiler of a module for Mono: its callbacks, and Oriel's profiler that raises them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "mono_modules/known_names.h"
#include "mono_modules/mono_api.h"

namespace oriel::mono_modules {

enum class Event : size_t {
#define ORIEL_MONO_EVENT(name, type, parameters, why_not) name,
#include "oriel/mono_events.def"
#undef ORIEL_MONO_EVENT
  kCount
};

// Never freed, as threads may be in a callback. Any thread.
struct Profiler {
  MonoProfiler* module = nullptr;
  oriel_profiler_handle handle = nullptr;
  std::array<std::atomic<void*>, static_cast<size_t>(Event::kCount)> callbacks{};
  std::atomic<void (*)(MonoProfiler*)> cleanup{nullptr};
  std::atomic<uint32_t (*)(MonoProfiler*, MonoMethod*)> call_filter{nullptr};
  std::atomic<Bool (*)(MonoProfiler*, MonoMethod*)> coverage_filter{nullptr};
};

inline Profiler* profiler_of(oriel_profiler* state) { return reinterpret_cast<Profiler*>(state); }

// What an event's callback is, as modules see it.
template <Event event>
struct CallbackOf;
#define ORIEL_MONO_EVENT(name, type, parameters, why_not) \
  template <>                                             \
  struct CallbackOf<Event::name> {                        \
    using Function = void parameters;                     \
  };
#include "oriel/mono_events.def"
#undef ORIEL_MONO_EVENT

// Calls the module's callback of that event, if it has one.
template <Event event, typename... Arguments>
void raise(oriel_profiler* state, Arguments... arguments) {
  using Function = typename CallbackOf<event>::Function;
  const Profiler* const profiler = profiler_of(state);
  void* const callback = profiler->callbacks[static_cast<size_t>(event)].load(std::memory_order_acquire);
  if (callback == nullptr) return;
  [[maybe_unused]] const std::conditional_t<event == Event::sample_hit, SampleHandler, std::nullptr_t> scope{};
  reinterpret_cast<Function*>(callback)(profiler->module, arguments...);
}

// Sets a callback, or removes it. What CoreCLR does not tell of is said once.
void set_callback(Profiler& profiler, Event event, void* callback);

// Has Oriel raise an event for the profiler, or not. False if CoreCLR does not tell of it.
bool listen(Profiler& profiler, Event event, bool on);

}  // namespace oriel::mono_modules
