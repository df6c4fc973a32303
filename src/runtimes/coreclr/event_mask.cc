#include "runtimes/coreclr/event_mask.h"

#include <string_view>

#include "engine/raise.h"
#include "runtimes/coreclr/callbacks/event_pipe.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {
namespace {

struct EventBits {
  uint32_t first;  // the events from first to last, by number
  uint32_t last;
  EventMask mask;
};

constexpr EventMask kUnloads = {kMonitorModuleLoads | kMonitorAssemblyLoads, kHighMonitorDynamicFunctionUnloads};

// Bits for callbacks. Events that come by sessions to event sources get their bits from comes_by_sessions. Whoever
// receives things that can be unloaded must receive their unloads as well.
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
    {oriel_event_gc_moves, oriel_event_gc_moves, {0, kHighBasicGc | kHighMonitorGcMovedObjects}},
    {oriel_event_gc_root, oriel_event_gc_handle_deleted, {kMonitorGc | kUnloads.low, kUnloads.high}},
    {oriel_event_gc_finalize_queued, oriel_event_gc_finalize_queued, {kMonitorGc | kUnloads.low, kUnloads.high}},
    {oriel_event_suspend_begin, oriel_event_resume_end, {kMonitorSuspends, 0}},
    {oriel_event_gc_allocation_followed,
     oriel_event_gc_followed_part,
     {kUnloads.low, kUnloads.high | kHighMonitorEventPipe | kHighBasicGc}},
    {oriel_event_exception_throw, oriel_event_exception_message, {kMonitorExceptions | kUnloads.low, kUnloads.high}},
    // To know which exception it is.
    {oriel_event_method_exception_leave,
     oriel_event_method_exception_leave,
     {kMonitorExceptions | kUnloads.low, kUnloads.high}},
};

constexpr bool can_be_unloaded(std::string_view kind) {
  return kind == "assembly" || kind == "image" || kind == "class" || kind == "method";
}

// Whether one of the event's fields is of such a kind.
constexpr bool has_what_can_be_unloaded(uint32_t number) {
  switch (number) {
#define ORIEL_UNLOADED_A(kind, name) || can_be_unloaded(#kind) ORIEL_UNLOADED_B
#define ORIEL_UNLOADED_B(kind, name) || can_be_unloaded(#kind) ORIEL_UNLOADED_A
#define ORIEL_UNLOADED_A_END
#define ORIEL_UNLOADED_B_END
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  case number:                                                               \
    return false ORIEL_SEQ(ORIEL_UNLOADED, fields);
#include "oriel/events.def"
#undef ORIEL_EVENT
#undef ORIEL_UNLOADED_A
#undef ORIEL_UNLOADED_B
#undef ORIEL_UNLOADED_A_END
#undef ORIEL_UNLOADED_B_END
    default:
      return false;
  }
}

EventMask mask_of(uint32_t number) {
  EventMask mask;
  for (const EventBits& bits : kEventBits)
    if (bits.first <= number && number <= bits.last) mask = mask | bits.mask;
  if (!comes_by_sessions(number)) return mask;
  mask.high |= kHighMonitorEventPipe;
  return has_what_can_be_unloaded(number) ? mask | kUnloads : mask;
}

}  // namespace

EventMask event_mask(const RuntimeNeeds& needs) {
  EventMask mask;
  for (uint32_t number = 0; number < needs.events.size(); ++number)
    if (needs.events.test(number)) mask = mask | mask_of(number);
  if (needs.code_map) mask = mask | EventMask{kMonitorJitCompilation, 0} | kUnloads;
  if (needs.filters) mask = mask | kUnloads;
  if (needs.threads) mask = mask | EventMask{kMonitorThreads, 0};
  return mask;
}

bool needs_startup_request(uint32_t event) { return (mask_of(event).low & kMonitorGc) != 0; }

EventMask standing_mask() { return {kMonitorCacheSearches, 0}; }

EventMask compilation_mask() {
  return EventMask{kMonitorJitCompilation | kMonitorCacheSearches | kEnableReJit, 0} | kUnloads;
}

EventMask after_attach(const EventMask& mask) {
  return {mask.low & kMonitorAfterAttach, mask.high & kHighMonitorAfterAttach};
}

EventMask unload_mask() { return kUnloads; }

EventMask exception_mask() { return EventMask{kMonitorExceptions, 0} | kUnloads; }

EventMask lasting_mask(const EventMask& used) {
  constexpr uint32_t kLasting = kUnloads.low | kEnableReJit;
  return {used.low & kLasting, used.high & kUnloads.high};
}

}  // namespace oriel::coreclr
