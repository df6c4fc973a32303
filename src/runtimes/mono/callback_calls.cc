// Calls and allocations. Mono compiles what reports them into methods, so it asks for that when it compiles them.
#include <atomic>
#include <cmath>

#include "base/atomic_ref.h"
#include "base/random.h"
#include "engine/filters.h"
#include "engine/lifecycle.h"
#include "engine/probes.h"
#include "runtimes/mono/call_values.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/followed.h"
#include "runtimes/mono/things.h"
#include "runtimes/mono/thread_state.h"

namespace oriel::mono {
namespace {

constexpr double kBytesBetweenSamples = 100 * 1024;

// What profilers choose and Mono cannot do is said once.
void say_what_is_ignored(const WantedChanges& wanted) {
  static constinit std::atomic<bool> said_allocations{false}, said_coverage{false}, said_rewriters{false};
  const auto say = [](std::atomic<bool>& said, const char* message) {
    if (!said.exchange(true)) warn(message);
  };
  if (has_allocation_filters() && !wanted.any_allocations())
    say(said_allocations,
        "Mono does not say which code allocates an object: those of all code are reported, not only of what was "
        "chosen");
  const Runtime* const runtime = current_runtime();
  if (wanted.coverage != 0 && runtime && !runtime->counts_code())
    say(said_coverage,
        "Mono counts which code runs only if that is asked for before the program starts: coverage stays empty");
  if (wanted.rewriters != 0)
    say(said_rewriters,
        "Oriel cannot change the code of methods on Mono: rewriters are not asked, the program runs on");
}

// As instrumented code does on CoreCLR (engine/probes.h).
template <uint32_t event, typename... Fields>
void call_probe(Fields... fields) {
  using Code = void(oriel_profiler*, Fields...);
  const ProbeTarget* const target = probe_cell(event).load(std::memory_order_acquire);
  if (!target) return;
  const void* const code = target->code.load(std::memory_order_acquire);
  reinterpret_cast<Code*>(const_cast<void*>(code))(target->profiler, fields...);
}

__attribute__((noinline)) CalledMethod look_up(MonoMethod* method) noexcept {
  const KeptErrno kept;  // a new state allocates
  oriel_method* const record = find_method(reinterpret_cast<uintptr_t>(method));
  const CalledMethod called{method, record, record ? wanted_calls(*record) : 0};
  if (ThreadState* const own = thread_state()) own->called.put(called, frees_so_far());
  return called;
}

// The filters were asked about the method, so the engine knows it. Mono tells all profilers of the calls that one of
// them chose.
CalledMethod known(MonoMethod* method) {
  ThreadState* const own = thread_state_if_any();
  const CalledMethod* const found = own ? own->called.find(method, frees_so_far()) : nullptr;
  return found ? *found : look_up(method);
}

constexpr const void* kNoContext = nullptr;

// The events of one side of a call, and what filters ask for to get them.
struct Entry {
  static constexpr uint32_t kPlain = oriel_event_method_enter, kFull = oriel_event_method_enter_full;
  static constexpr uint32_t kContext = ORIEL_CALLS_ENTER_CONTEXT;
  static constexpr uint32_t kPlainCalls = ORIEL_CALLS_ENTER | kContext;
  static constexpr uint32_t kFullCalls = ORIEL_CALLS_ENTER_FULL;
  static constexpr bool kHasResult = false;
};
struct Exit {
  static constexpr uint32_t kPlain = oriel_event_method_leave, kFull = oriel_event_method_leave_full;
  static constexpr uint32_t kContext = ORIEL_CALLS_LEAVE_CONTEXT;
  static constexpr uint32_t kPlainCalls = ORIEL_CALLS_LEAVE | kContext;
  static constexpr uint32_t kFullCalls = ORIEL_CALLS_LEAVE_FULL;
  static constexpr bool kHasResult = true;
};

// Where a filter asked for the call's values. Whatever is called here may block.
template <typename Side>
void call_with_values(const CalledMethod& called, MonoProfilerCallContext* of_mono) {
  guarded([&] {
    const CallValues values(called.id, *called.record, of_mono, Side::kHasResult);
    if ((called.calls & Side::kPlainCalls) != 0) call_probe<Side::kPlain>(called.record, values.context());
    if ((called.calls & Side::kFullCalls) != 0) call_probe<Side::kFull>(called.record, values.context());
  });
}

template <typename Side>
void call(MonoMethod* method, MonoProfilerCallContext* of_mono) {
  const CalledMethod called = known(method);
  if (of_mono && (called.calls & (Side::kContext | Side::kFullCalls)) != 0)
    call_with_values<Side>(called, of_mono);
  else if ((called.calls & Side::kPlainCalls) != 0)
    call_probe<Side::kPlain>(called.record, kNoContext);
}

// Mono's flags for what filters ask of a method's calls.
uint32_t flags_of(uint32_t calls) {
  constexpr uint32_t kEnterValues = ORIEL_CALLS_ENTER_CONTEXT | ORIEL_CALLS_ENTER_FULL;
  constexpr uint32_t kLeaveValues = ORIEL_CALLS_LEAVE_CONTEXT | ORIEL_CALLS_LEAVE_FULL;
  uint32_t flags = calls & ORIEL_CALLS_ALL;
  if ((calls & kEnterValues) != 0) flags |= ORIEL_CALLS_ENTER | ORIEL_CALLS_ENTER_CONTEXT;
  if ((calls & kLeaveValues) != 0) flags |= ORIEL_CALLS_LEAVE | ORIEL_CALLS_LEAVE_CONTEXT;
  return flags;
}

// To the next sampled byte. Distances with this distribution make each byte as likely as any other.
int64_t next_distance(ThreadState& own) {
  return static_cast<int64_t>(-std::log(next_uniform(own.random)) * kBytesBetweenSamples) + 1;
}

void sample_allocation(ThreadState& own, oriel_class* klass, uint64_t size, MonoObject* object) {
  if (own.random == 0) {
    own.random = reinterpret_cast<uintptr_t>(&own) * 0x9e3779b97f4a7c15 | 1;
    own.bytes_to_sample = next_distance(own);
  }
  own.bytes_to_sample -= static_cast<int64_t>(size);
  uint64_t hits = 0;
  for (; own.bytes_to_sample < 0; ++hits) own.bytes_to_sample += next_distance(own);
  if (hits == 0) return;
  const uint64_t represented = hits * static_cast<uint64_t>(kBytesBetweenSamples);
  raise_gc_allocation_sampled(klass, size, represented);
  if (!is_wanted(oriel_event_gc_allocation_followed)) return;
  const uint32_t number = follow(object, size);
  raise_gc_allocation_followed(klass, size, represented, number);
}

uint64_t whole_words(uint64_t size) {
  constexpr uint64_t kWord = sizeof(void*);
  return (size + kWord - 1) & ~(kWord - 1);
}

bool has_varying_size(MonoClass* klass) {
  return api.mono_class_get_rank(klass) != 0 || klass == api.mono_get_string_class();
}

const AllocatedClass* known_class(ThreadState* own, MonoClass* klass) {
  return own ? own->allocated.find(klass, frees_so_far()) : nullptr;
}

const AllocatedClass& learn_class(ThreadState& own, MonoClass* klass, MonoObject* object) {
  const uint32_t freed = frees_so_far();
  const uint64_t size = has_varying_size(klass) ? 0 : whole_words(api.mono_object_get_size(object));
  oriel_class* const record = record_of(klass);
  if (size != 0) AtomicRef(record->instance_size).store(static_cast<uint32_t>(size), std::memory_order_relaxed);
  return own.allocated.put({klass, record, static_cast<uint32_t>(size)}, freed);
}

// Mono does not say which method allocates.
void report_object(const AllocatedClass& klass, uint64_t size, MonoObject* object) {
  oriel_method* const unknown = nullptr;
  call_probe<oriel_event_gc_allocation>(klass.record, size, object_of(object), unknown);
  // Its callbacks may do anything.
  if (is_wanted(oriel_event_gc_allocation_full))
    guarded([&] { call_probe<oriel_event_gc_allocation_full>(klass.record, size, object_of(object), unknown); });
}

// An object whose class or size must be asked for, or that may be sampled.
__attribute__((noinline)) void report_any_object(MonoClass* id, MonoObject* object) noexcept {
  guarded([&] {
    ThreadState* const own = thread_state();
    if (!own) return;
    const AllocatedClass* const known = known_class(own, id);
    const AllocatedClass& klass = known ? *known : learn_class(*own, id, object);
    const uint64_t size = klass.size != 0 ? klass.size : whole_words(api.mono_object_get_size(object));
    if (has_allocation_filters()) report_object(klass, size, object);
    if (is_wanted(oriel_event_gc_allocation_sampled) || is_wanted(oriel_event_gc_allocation_followed))
      sample_allocation(*own, klass.record, size, object);
  });
}

}  // namespace

void on_method_enter(MonoProfiler*, MonoMethod* method, MonoProfilerCallContext* values) {
  call<Entry>(method, values);
}
void on_method_leave(MonoProfiler*, MonoMethod* method, MonoProfilerCallContext* values) { call<Exit>(method, values); }
void on_method_tail_call(MonoProfiler*, MonoMethod* method, MonoMethod* target) {
  const CalledMethod called = known(method);
  if ((called.calls & ORIEL_CALLS_TAIL_CALL) != 0)
    call_probe<oriel_event_method_tail_call>(called.record, target ? known(target).record : nullptr);
}

// Mono passes an exception only if it has already looked for a filter or a finally block.
void on_method_exception_leave(MonoProfiler*, MonoMethod* method, MonoObject* exception) {
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const CalledMethod called = known(method);
  if ((called.calls & ORIEL_CALLS_EXCEPTION_LEAVE) == 0) return;
  ThreadState* const own = thread_state_if_any();
  if (!exception && own) exception = exception_in_flight(own->in_flight, frame);
  call_probe<oriel_event_method_exception_leave>(called.record, object_of(exception));
}

void on_gc_allocation(MonoProfiler*, MonoObject* object) {
  const bool is_sampled = is_wanted(oriel_event_gc_allocation_sampled) || is_wanted(oriel_event_gc_allocation_followed);
  MonoClass* const id = class_of(object);
  const AllocatedClass* const known = is_sampled ? nullptr : known_class(thread_state_if_any(), id);
  if (!known || known->size == 0) return report_any_object(id, object);
  if (has_allocation_filters()) report_object(*known, known->size, object);
}

// Code that Mono makes around methods and for itself has no token, and is nobody's to choose.
uint32_t choose_calls(MonoProfiler*, MonoMethod* method) {
  uint32_t chosen = 0;
  guarded([&] {
    if (api.mono_method_get_token(method) == 0) return;
    oriel_method* const record = record_of(method);
    if (!record->image) return;
    const WantedChanges wanted = ask_filters(record, record->image);
    say_what_is_ignored(wanted);
    chosen = flags_of(wanted.calls);
    // Threads keep what was chosen before as long as nothing is freed.
    if (set_wanted_calls(*record, wanted.calls)) count_free();
    if (chosen != 0) count_outcome(ORIEL_INSTRUMENTED);
  });
  return chosen;
}

}  // namespace oriel::mono
