#include "runtimes/mono/unavailable_events.h"

#include <algorithm>
#include <iterator>

#include "oriel/oriel.h"
#include "runtimes/mono/callbacks.h"

namespace oriel::mono {
namespace {

struct Reason {
  uint32_t event;
  const char* why;
};

constexpr const char* kNoPhases =
    "Mono does not tell what its collector does inside a collection: listen to gc_begin and gc_end";
constexpr const char* kNoAsync = "Oriel has no probes for awaits on Mono: listen to method_enter of MoveNext";
constexpr const char* kNoSources = "Mono has no event sources that Oriel could listen to";

constexpr Reason kReasons[] = {
    {oriel_event_class_loading,
     "Mono tells of a class that it begins to load before it is known what class that is: listen to class_loaded"},
    {oriel_event_class_unloading, "Mono unloads classes with their image: listen to image_unloading"},
    {oriel_event_class_unloaded, "Mono unloads classes with their image: listen to image_unloaded"},
    {oriel_event_gc_marked, kNoPhases},
    {oriel_event_gc_phases, kNoPhases},
    {oriel_event_gc_triggered, "Mono does not tell why it collects: listen to gc_begin"},
    {oriel_event_gc_survived, kNoPhases},
    {oriel_event_gc_free, kNoPhases},
    {oriel_event_suspend_aborted, "Mono does not give up stopping its threads: listen to suspend_end"},
    {oriel_event_gc_finalize_queued,
     "Mono does not tell of objects that wait for their finalizer: listen to gc_finalizing_object"},
    {oriel_event_exception_unwind,
     "Mono does not tell which frames an exception leaves: listen to method_exception_leave"},
    {oriel_event_async_resume, kNoAsync},
    {oriel_event_async_suspend, kNoAsync},
    {oriel_event_async_complete, kNoAsync},
    {oriel_event_async_site, kNoAsync},
    {oriel_event_async_handed, kNoAsync},
    {oriel_event_counter_value, kNoSources},
    {oriel_event_activity_stopped, kNoSources},
    {oriel_event_pool_adjusted, kNoSources},
};

// Raised by the engine itself, or without a callback that is set for it alone (heap/stopped_world.cc: gc_root).
constexpr uint32_t kOfEngine[] = {oriel_event_process_abort,    oriel_event_mark,
                                  oriel_event_sampling_paced,   oriel_event_sample_hit,
                                  oriel_event_gc_followed_gone, oriel_event_gc_followed_part,
                                  oriel_event_gc_root};

bool comes(uint32_t event) {
  const auto has = [&](const Callback& callback) {
    return std::ranges::find(callback.events, event) != std::end(callback.events);
  };
  return std::ranges::find(kOfEngine, event) != std::end(kOfEngine) || std::ranges::any_of(all_callbacks(), has);
}

}  // namespace

const char* why_unavailable(uint32_t event) {
  for (const Reason& reason : kReasons)
    if (reason.event == event) return reason.why;
  return comes(event) ? nullptr : "Oriel does not raise this event on Mono";
}

}  // namespace oriel::mono
