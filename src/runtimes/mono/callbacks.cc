#include "runtimes/mono/callbacks.h"

#include <algorithm>

#include "oriel/oriel.h"

namespace oriel::mono {
namespace {

template <typename Handler>
void (*code_of(Handler* handler))() {
  return reinterpret_cast<void (*)()>(handler);
}

// Unloads are always heard, because Mono uses addresses again, and so is code, because Mono cannot safely be asked for
// code that it may free. Exceptions are kept for method_exception_leave, to which Mono does not always pass them.
const Callback kCallbacks[] = {
    {"runtime_initialized", code_of(on_runtime_initialized), Need::kAlways, {oriel_event_runtime_initialized}},
    {"runtime_shutdown_begin", code_of(on_runtime_shutdown_begin), Need::kAlways, {oriel_event_runtime_shutdown_begin}},
    {"runtime_shutdown_end", code_of(on_runtime_shutdown_end), Need::kAlways, {oriel_event_runtime_shutdown_end}},

    {"domain_loading", code_of(on_domain_loading), Need::kEventsOnly, {oriel_event_domain_loading}},
    {"domain_loaded", code_of(on_domain_loaded), Need::kEventsOnly, {oriel_event_domain_loaded}},
    {"domain_unloading", code_of(on_domain_unloading), Need::kAlways, {oriel_event_domain_unloading}},
    {"domain_unloaded", code_of(on_domain_unloaded), Need::kAlways, {oriel_event_domain_unloaded}},
    {"assembly_loading", code_of(on_assembly_loading), Need::kEventsOnly, {oriel_event_assembly_loading}},
    {"assembly_loaded", code_of(on_assembly_loaded), Need::kEventsOnly, {oriel_event_assembly_loaded}},
    {"assembly_unloading", code_of(on_assembly_unloading), Need::kAlways, {oriel_event_assembly_unloading}},
    {"assembly_unloaded", code_of(on_assembly_unloaded), Need::kAlways, {oriel_event_assembly_unloaded}},
    {"image_loading", code_of(on_image_loading), Need::kEventsOnly, {oriel_event_image_loading}},
    {"image_loaded", code_of(on_image_loaded), Need::kEventsOnly, {oriel_event_image_loaded}},
    {"image_failed", code_of(on_image_failed), Need::kAlways, {oriel_event_image_failed}},
    {"image_unloading", code_of(on_image_unloading), Need::kAlways, {oriel_event_image_unloading}},
    {"image_unloaded", code_of(on_image_unloaded), Need::kAlways, {oriel_event_image_unloaded}},
    {"class_loaded", code_of(on_class_loaded), Need::kEventsOnly, {oriel_event_class_loaded}},
    {"class_failed", code_of(on_class_failed), Need::kEventsOnly, {oriel_event_class_failed}},

    {"jit_begin", code_of(on_jit_begin), Need::kAlways, {oriel_event_jit_begin}},
    {"jit_done", code_of(on_jit_done), Need::kAlways, {oriel_event_jit_done}},
    {"jit_failed", code_of(on_jit_failed), Need::kAlways, {oriel_event_jit_failed}},
    {"method_free", code_of(on_method_free), Need::kAlways, {oriel_event_method_free}},

    {"thread_started", code_of(on_thread_started), Need::kAlways, {oriel_event_thread_started}},
    {"thread_stopped", code_of(on_thread_stopped), Need::kAlways, {oriel_event_thread_stopped}},
    {"thread_name", code_of(on_thread_name), Need::kAlways, {oriel_event_thread_name}},

    {"gc_event",
     code_of(on_gc_event),
     Need::kEventsOnly,
     {oriel_event_gc_event, oriel_event_gc_begin, oriel_event_gc_end, oriel_event_gc_heap, oriel_event_suspend_begin,
      oriel_event_suspend_end, oriel_event_resume_begin, oriel_event_resume_end}},
    {"gc_moves", code_of(on_gc_moves), Need::kEventsOnly, {oriel_event_gc_moves}},
    {"gc_handle_created", code_of(on_gc_handle_created), Need::kEventsOnly, {oriel_event_gc_handle_created}},
    {"gc_handle_deleted", code_of(on_gc_handle_deleted), Need::kEventsOnly, {oriel_event_gc_handle_deleted}},
    {"gc_finalizing",
     code_of(on_gc_finalizing),
     Need::kEventsOnly,
     {oriel_event_gc_finalizing, oriel_event_gc_finalized}},
    {"gc_finalized", code_of(on_gc_finalized), Need::kEventsOnly, {oriel_event_gc_finalized}},
    {"gc_finalizing_object",
     code_of(on_gc_finalizing_object),
     Need::kEventsOnly,
     {oriel_event_gc_finalizing_object, oriel_event_gc_finalized}},

    {"exception_throw",
     code_of(on_exception_throw),
     Need::kEventsOnly,
     {oriel_event_exception_throw, oriel_event_exception_message, oriel_event_method_exception_leave}},
    {"exception_clause", code_of(on_exception_clause), Need::kEventsOnly, {oriel_event_exception_clause}},

    {"monitor_contention",
     code_of(on_monitor_contention),
     Need::kEventsOnly,
     {oriel_event_monitor_contention, oriel_event_monitor_acquired}},
    {"monitor_acquired", code_of(on_monitor_acquired), Need::kEventsOnly, {oriel_event_monitor_acquired}},
    {"monitor_failed", code_of(on_monitor_failed), Need::kEventsOnly, {oriel_event_monitor_acquired}},

    {"method_enter",
     code_of(on_method_enter),
     Need::kEventsOnly,
     {oriel_event_method_enter, oriel_event_method_enter_full}},
    {"method_leave",
     code_of(on_method_leave),
     Need::kEventsOnly,
     {oriel_event_method_leave, oriel_event_method_leave_full}},
    {"method_tail_call", code_of(on_method_tail_call), Need::kEventsOnly, {oriel_event_method_tail_call}},
    {"method_exception_leave",
     code_of(on_method_exception_leave),
     Need::kEventsOnly,
     {oriel_event_method_exception_leave}},
    {"gc_allocation",
     code_of(on_gc_allocation),
     Need::kEventsOnly,
     {oriel_event_gc_allocation, oriel_event_gc_allocation_full, oriel_event_gc_allocation_sampled,
      oriel_event_gc_allocation_followed}},
};

}  // namespace

std::span<const Callback> all_callbacks() { return kCallbacks; }

bool is_needed(const Callback& callback, const RuntimeNeeds& needs) {
  if (callback.need == Need::kAlways) return true;
  return std::ranges::any_of(callback.events, [&](uint32_t event) { return event != 0 && needs.events.test(event); });
}

}  // namespace oriel::mono
