#include "engine/profilers.h"

#include <new>

#include "engine/engine_thread.h"
#include "engine/modules.h"
#include "engine/raise.h"
#include "engine/things/data_items.h"

namespace oriel {

constinit std::atomic<uint32_t> event_counters[oriel_event_number_end];

namespace {

constinit std::atomic<oriel_profiler_desc*> head{nullptr};

void append(oriel_profiler_desc* profiler) {
  std::atomic<oriel_profiler_desc*>* link = &head;
  oriel_profiler_desc* expected = nullptr;
  while (!link->compare_exchange_weak(expected, profiler, std::memory_order_acq_rel)) {
    if (expected) link = &expected->next;
    expected = nullptr;
  }
}

// Sets what instrumented code calls for this profiler. With several listeners, dispatch reads the slots.
template <typename Callback>
void aim(ProbeTarget& target, Callback callback) {
  const void* before = target.code.load(std::memory_order_acquire);
  const void* after = callback ? reinterpret_cast<const void*>(callback) : reinterpret_cast<const void*>(removed_probe);
  if (callback || before) target.code.store(after, std::memory_order_release);
}

// Increments the counter before the callback is in its slot and decrements it after its removal, so that the counter is
// never below the number of callbacks, cannot underflow, and equals it whenever no setter is running.
template <typename Callback>
void install(std::atomic<Callback>& slot, Callback callback, uint32_t number) {
  std::atomic<uint32_t>& counter = event_counters[number];
  bool changed = callback && counter.fetch_add(1, std::memory_order_acq_rel) == 0;
  const Callback before = slot.exchange(callback, std::memory_order_acq_rel);
  if (before) changed |= counter.fetch_sub(1, std::memory_order_acq_rel) == 1;
  // A probe's cell depends on which profilers listen, not just on whether any does.
  if (is_probe(number)) changed |= (callback == nullptr) != (before == nullptr);
  if (changed) engine_thread::wake();
}

}  // namespace

oriel_profiler_desc* first_profiler() { return head.load(std::memory_order_acquire); }

void remove_callbacks_of(const void* load) {
  for (oriel_profiler_desc* it = first_profiler(); it; it = it->next.load(std::memory_order_acquire)) {
    if (it->load != load) continue;
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  oriel_profiler_set_##name##_callback(it, nullptr);
#include "oriel/events.def"
#undef ORIEL_EVENT
    oriel_profiler_set_cleanup_callback(it, nullptr);
    oriel_profiler_set_call_instrumentation_filter_callback(it, nullptr);
    oriel_profiler_set_allocation_filter_callback(it, nullptr);
    oriel_profiler_set_full_allocation_filter_callback(it, nullptr);
    oriel_profiler_set_coverage_filter_callback(it, nullptr);
    oriel_profiler_set_rewriter_callbacks(it, nullptr, nullptr);
    oriel_profiler_set_image_filter_callback(it, nullptr);
  }
  forget_data_of(load);
}

}  // namespace oriel

oriel_profiler_handle oriel_profiler_create(oriel_profiler* profiler) {
  auto* made = new (std::nothrow) oriel_profiler_desc;
  if (!made) return nullptr;
  made->profiler = profiler;
  for (oriel::ProbeTarget& target : made->probe_targets) target.profiler = profiler;
  made->load = oriel::current_load();
  oriel::append(made);
  oriel::engine_thread::ensure_started();
  return made;
}

void oriel_profiler_set_cleanup_callback(oriel_profiler_handle handle, oriel_cleanup_cb callback) {
  if (handle) handle->cleanup.store(callback, std::memory_order_release);
}

#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc)                            \
  void oriel_profiler_set_##name##_callback(oriel_profiler_handle handle, oriel_##name##_cb callback) { \
    if (!handle) return;                                                                                \
    if constexpr (oriel::is_probe(number)) {                                                            \
      oriel::aim(handle->probe_targets[number - oriel::kFirstProbe], callback);                         \
    }                                                                                                   \
    oriel::install(handle->name##_cb, callback, number);                                                \
  }
#include "oriel/events.def"
#undef ORIEL_EVENT

uint32_t oriel_event_counter(uint32_t event_number) {
  if (event_number >= std::size(oriel::event_counters)) return 0;
  return oriel::event_counters[event_number].load(std::memory_order_acquire);
}
