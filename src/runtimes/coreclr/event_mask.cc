#include "runtimes/coreclr/event_mask.h"

#include "engine/raise.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {
namespace {

struct EventBits {
  uint32_t first;  // the events first … last by number
  uint32_t last;
  EventMask mask;
};

constexpr EventMask kUnloads = {kMonitorModuleLoads | kMonitorAssemblyLoads, kHighMonitorDynamicFunctionUnloads};

// Whoever receives something that can be unloaded must hear of unloads as well.
constexpr EventBits kEventBits[] = {
    {oriel_event_runtime_initialized, oriel_event_runtime_initialized, {kMonitorAppDomainLoads, 0}},
    {oriel_event_domain_loading, oriel_event_domain_unloaded, {kMonitorAppDomainLoads, 0}},
    {oriel_event_assembly_loading, oriel_event_assembly_unloaded, kUnloads},
    {oriel_event_image_loading, oriel_event_image_unloaded, kUnloads},
    {oriel_event_class_loading, oriel_event_class_unloaded, {kMonitorClassLoads | kUnloads.low, kUnloads.high}},
    {oriel_event_jit_begin, oriel_event_jit_failed, {kMonitorJitCompilation | kUnloads.low, kUnloads.high}},
    {oriel_event_method_free, oriel_event_method_free, kUnloads},
    {oriel_event_thread_started, oriel_event_thread_name, {kMonitorThreads, 0}},
    {oriel_event_gc_event, oriel_event_gc_event, {kMonitorSuspends, kHighBasicGc}},
    {oriel_event_gc_begin, oriel_event_gc_end, {0, kHighBasicGc}},
    {oriel_event_gc_heap, oriel_event_gc_heap, {0, kHighBasicGc}},
    {oriel_event_gc_marked, oriel_event_gc_phases, {0, kHighMonitorEventPipe}},
    {oriel_event_gc_triggered, oriel_event_gc_survived, {0, kHighMonitorEventPipe}},
    {oriel_event_gc_free, oriel_event_gc_free, {0, kHighMonitorEventPipe}},
    {oriel_event_gc_moves, oriel_event_gc_moves, {0, kHighBasicGc | kHighMonitorGcMovedObjects}},
    {oriel_event_gc_root, oriel_event_gc_handle_deleted, {kMonitorGc | kUnloads.low, kUnloads.high}},
    {oriel_event_gc_finalize_queued, oriel_event_gc_finalize_queued, {kMonitorGc | kUnloads.low, kUnloads.high}},
    {oriel_event_gc_finalizing, oriel_event_gc_finalized, {0, kHighMonitorEventPipe}},
    {oriel_event_suspend_begin, oriel_event_resume_end, {kMonitorSuspends, 0}},
    {oriel_event_gc_allocation_sampled,
     oriel_event_gc_allocation_sampled,
     {kUnloads.low, kUnloads.high | kHighMonitorEventPipe}},
    {oriel_event_gc_allocation_followed,
     oriel_event_gc_followed_part,
     {kUnloads.low, kUnloads.high | kHighMonitorEventPipe | kHighBasicGc}},
    {oriel_event_monitor_contention,
     oriel_event_monitor_acquired,
     {kUnloads.low, kUnloads.high | kHighMonitorEventPipe}},
    {oriel_event_counter_value, oriel_event_pool_adjusted, {0, kHighMonitorEventPipe}},
    {oriel_event_exception_throw, oriel_event_exception_message, {kMonitorExceptions | kUnloads.low, kUnloads.high}},
    // Which exception it is that leaves.
    {oriel_event_method_exception_leave,
     oriel_event_method_exception_leave,
     {kMonitorExceptions | kUnloads.low, kUnloads.high}},
};

}  // namespace

EventMask event_mask(const RuntimeNeeds& needs) {
  EventMask mask;
  for (const EventBits& bits : kEventBits) {
    for (uint32_t number = bits.first; number <= bits.last; ++number) {
      if (needs.events.test(number)) mask = mask | bits.mask;
    }
  }
  if (needs.code_map) mask = mask | EventMask{kMonitorJitCompilation, 0} | kUnloads;
  if (needs.filters) mask = mask | kUnloads;
  if (needs.threads) mask = mask | EventMask{kMonitorThreads, 0};
  return mask;
}

EventMask standing_mask() { return {kMonitorCacheSearches, 0}; }

EventMask compilation_mask() {
  return EventMask{kMonitorJitCompilation | kMonitorCacheSearches | kEnableReJit, 0} | kUnloads;
}

EventMask unload_mask() { return kUnloads; }

EventMask exception_mask() { return EventMask{kMonitorExceptions, 0} | kUnloads; }

EventMask lasting_mask(const EventMask& used) {
  constexpr uint32_t kLasting = kUnloads.low | kEnableReJit;
  return {used.low & kLasting, used.high & kUnloads.high};
}

}  // namespace oriel::coreclr
