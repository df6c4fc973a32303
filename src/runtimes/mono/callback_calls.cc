// Calls and allocations. Mono compiles what reports them into methods, so it asks for that when it compiles them.
#include <cmath>

#include "engine/filters.h"
#include "engine/probes.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/things.h"
#include "runtimes/mono/thread_state.h"

namespace oriel::mono {
namespace {

constexpr double kBytesBetweenSamples = 100 * 1024;

// As instrumented code does on CoreCLR (engine/probes.h).
template <uint32_t event, typename... Fields>
void call_probe(Fields... fields) {
  using Code = void(oriel_profiler*, Fields...);
  const ProbeTarget* const target = probe_cell(event).load(std::memory_order_acquire);
  if (!target) return;
  const void* const code = target->code.load(std::memory_order_acquire);
  reinterpret_cast<Code*>(const_cast<void*>(code))(target->profiler, fields...);
}

// The filters were asked about the method, so the engine knows it.
oriel_method* known(MonoMethod* method) { return find_method(reinterpret_cast<uintptr_t>(method)); }

constexpr const void* kNoContext = nullptr;

// To the next sampled byte. Distances with this distribution make each byte as likely as any other.
int64_t next_distance(ThreadState& own) {
  own.random ^= own.random << 13;
  own.random ^= own.random >> 7;
  own.random ^= own.random << 17;
  constexpr double kBits53 = 9007199254740992.0;
  const double uniform = (static_cast<double>(own.random >> 11) + 1) / kBits53;
  return static_cast<int64_t>(-std::log(uniform) * kBytesBetweenSamples) + 1;
}

void sample_allocation(ThreadState& own, MonoObject* object, uint64_t size) {
  if (own.random == 0) {
    own.random = reinterpret_cast<uintptr_t>(&own) * 0x9e3779b97f4a7c15 | 1;
    own.bytes_to_sample = next_distance(own);
  }
  own.bytes_to_sample -= static_cast<int64_t>(size);
  uint64_t hits = 0;
  for (; own.bytes_to_sample < 0; ++hits) own.bytes_to_sample += next_distance(own);
  if (hits == 0) return;
  oriel_class* const klass = record_of(class_of(object));
  const uint64_t represented = hits * static_cast<uint64_t>(kBytesBetweenSamples);
  raise_gc_allocation_sampled(klass, size, represented);
  raise_gc_allocation_followed(klass, size, represented, 0u);  // none is followed
}

uint64_t heap_size(MonoObject* object) {
  constexpr uint64_t kWord = sizeof(void*);
  return (uint64_t{api.mono_object_get_size(object)} + kWord - 1) & ~(kWord - 1);
}

}  // namespace

void on_method_enter(MonoProfiler*, MonoMethod* method, MonoProfilerCallContext*) {
  if (oriel_method* const record = known(method)) call_probe<oriel_event_method_enter>(record, kNoContext);
}
void on_method_leave(MonoProfiler*, MonoMethod* method, MonoProfilerCallContext*) {
  if (oriel_method* const record = known(method)) call_probe<oriel_event_method_leave>(record, kNoContext);
}
void on_method_tail_call(MonoProfiler*, MonoMethod* method, MonoMethod* target) {
  oriel_method* const record = known(method);
  if (record) call_probe<oriel_event_method_tail_call>(record, target ? known(target) : nullptr);
}

// Mono passes no exception here.
void on_method_exception_leave(MonoProfiler*, MonoMethod* method, MonoObject* exception) {
  oriel_method* const record = known(method);
  if (!record) return;
  call_probe<oriel_event_method_exception_leave>(record, object_of(exception ? exception : exception_thrown_last()));
}

// Mono does not say which method allocates.
void on_gc_allocation(MonoProfiler*, MonoObject* object) {
  guarded([&] {
    const uint64_t size = heap_size(object);
    if (is_wanted(oriel_event_gc_allocation) && has_allocation_filters())
      call_probe<oriel_event_gc_allocation>(record_of(class_of(object)), size, object_of(object),
                                            static_cast<oriel_method*>(nullptr));
    const bool sampled = is_wanted(oriel_event_gc_allocation_sampled) || is_wanted(oriel_event_gc_allocation_followed);
    ThreadState* const own = sampled ? thread_state() : nullptr;
    if (own) sample_allocation(*own, object, size);
  });
}

// Code that Mono makes around methods and for itself has no token, and is nobody's to choose.
uint32_t choose_calls(MonoProfiler*, MonoMethod* method) {
  uint32_t chosen = 0;
  guarded([&] {
    if (api.mono_method_get_token(method) == 0) return;
    oriel_method* const record = record_of(method);
    if (!record->image) return;
    chosen = ask_filters(record, record->image).calls & ORIEL_CALLS_ALL;
    if (chosen != 0) count_outcome(ORIEL_INSTRUMENTED);
  });
  return chosen;
}

}  // namespace oriel::mono
