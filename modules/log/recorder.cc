#include "recorder.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <type_traits>

#include "base/clock.h"
#include "call_buffer.h"
#include "event_buffer.h"
#include "log/event.h"
#include "log/writer.h"
#include "oriel/heap.h"

namespace oriel::log_module {
namespace {

// How the log encodes each kind of field: an id, a number or a text.
template <std::integral Number>
uint64_t logged(Number number) {
  return static_cast<uint64_t>(number);
}
uint64_t logged(double number) { return std::bit_cast<uint64_t>(number); }
uint64_t logged(oriel_domain* domain) { return domain ? oriel_domain_id(domain) : 0; }
uint64_t logged(oriel_assembly* assembly) { return assembly ? oriel_assembly_id(assembly) : 0; }
uint64_t logged(oriel_image* image) { return image ? oriel_image_id(image) : 0; }
uint64_t logged(oriel_class* klass) { return klass ? oriel_class_id(klass) : 0; }
uint64_t logged(oriel_method* method) { return method ? oriel_method_id(method) : 0; }
uint64_t logged(oriel_thread* thread) { return thread ? oriel_thread_id(thread) : 0; }
uint64_t logged(oriel_object* object) { return logged(object ? oriel_object_class(object) : nullptr); }
uint64_t logged(const void* address) { return reinterpret_cast<uintptr_t>(address); }
template <typename Enum>
requires std::is_enum_v<Enum> uint64_t logged(Enum value) { return static_cast<uint64_t>(value); }
const char* logged(const char* text) { return text; }

struct Stack {
  const uintptr_t* frames = nullptr;
  size_t depth = 0;
  bool truncated = false;
};

Stack own_stack() {
  Stack stack;
  stack.depth = oriel_stack_walk_here(&stack.frames, &stack.truncated);
  return stack;
}

template <typename... Fields>
void record_with(const Stack& stack, uint32_t number, Fields... fields) {
  EventHeader header{oriel_clock(), static_cast<uint16_t>(number), 0, static_cast<uint16_t>(stack.depth),
                     stack.truncated};
  uint8_t encoded[log::kMaxFieldBytes * (sizeof...(Fields) + 1)];
  uint8_t* end = encoded;
  ((end = log::encode_field(end, logged(fields))), ...);
  header.size = static_cast<uint16_t>(end - encoded);
  EventBuffer* buffer = thread_event_buffer();
  if (!buffer) return lose_event();
  buffer->append(header, encoded, stack.frames);
}

// It is not known whether an exception will be caught. If not, the runtime aborts the process.
void hurry_writer(Recorder& recorder) {
  if (recorder.urgent.exchange(true)) return;
  const std::lock_guard guard(recorder.lock);
  if (recorder.writer) recorder.writer->hurry();
}

// A program may throw all the time. After the first ones a part of the exceptions, for half a percent of the time,
// shows where.
Stack stack_of_exception(const Recorder& recorder) {
  constexpr uint64_t kBetween = 1'000'000;  // nanoseconds
  constexpr uint64_t kPart = 200;
  constexpr uint32_t kFirst = 16;
  EventBuffer* const buffer =
      recorder.exception_stacks.load(std::memory_order_relaxed) ? thread_event_buffer() : nullptr;
  const uint64_t now = buffer ? clock_monotonic_ns() : 0;
  if (!buffer || (now < buffer->throw_stack_due && buffer->throw_stacks >= kFirst)) return {};
  ++buffer->throw_stacks;
  const Stack stack = own_stack();
  const uint64_t done = clock_monotonic_ns();
  const uint64_t pause = std::max(kBetween, kPart * (done - now));
  buffer->throw_stack_due = done + pause * 1000 / recorder.pace.load(std::memory_order_relaxed);
  return stack;
}

template <uint32_t number>
Stack stack_of_PLAIN(const Recorder&) {
  return {};
}
template <uint32_t number>
Stack stack_of_STACK(const Recorder& recorder) {
  if (number == oriel_event_exception_throw) return stack_of_exception(recorder);
  if (number == oriel_event_process_abort && !recorder.exception_stacks.load(std::memory_order_relaxed)) return {};
  return own_stack();
}

// An exception whose message is logged is logged with its stack too.
void have_stack_of_next_throw() {
  if (EventBuffer* const buffer = thread_event_buffer()) buffer->throw_stack_due = 0;
}

template <uint32_t number>
using Number = std::integral_constant<uint32_t, number>;

template <uint32_t number, typename... Fields>
bool is_logged(Number<number>, const Recorder&, Fields...) {
  return true;
}
// Samples of objects that are not followed matter only if sampled allocations were requested.
bool is_logged(Number<oriel_event_gc_allocation_followed>, const Recorder& recorder, oriel_class*, uint64_t, uint64_t,
               uint32_t number) {
  return number != 0 || recorder.all_samples.load(std::memory_order_relaxed);
}
// A program may have very many waits of a few microseconds, so a shorter wait is logged with a probability in
// proportion to its duration.
bool is_logged(Number<oriel_event_monitor_acquired>, const Recorder&, oriel_class*, const void*, oriel_thread*,
               uint64_t waited) {
  constexpr uint64_t kMixing = 0x9e3779b97f4a7c15;
  return waited >= log::kWholeLockWait || (oriel_clock() * kMixing >> 32) % log::kWholeLockWait < waited;
}

// Counts the time that a callback takes, where there is a budget. One that loses the processor meanwhile counts as long
// as the longest should take.
class CountedTime {
 public:
  explicit CountedTime(Recorder& recorder)
      : recorder_(recorder), begin_(recorder.counts_time.load(std::memory_order_relaxed) ? clock_monotonic_ns() : 0) {}
  ~CountedTime() {
    constexpr uint64_t kMost = 200'000, kAround = 100;  // nanoseconds; kAround: of what calls it
    if (begin_ == 0) return;
    const uint64_t took = std::min(clock_monotonic_ns() - begin_, kMost) + kAround;
    recorder_.spent_ns.fetch_add(took, std::memory_order_relaxed);
  }
  CountedTime(const CountedTime&) = delete;
  CountedTime& operator=(const CountedTime&) = delete;

 private:
  Recorder& recorder_;
  const uint64_t begin_;
};

// Further actions at an event.
template <uint32_t number, typename... Fields>
void follow(Number<number>, Recorder&, Fields...) {}
void follow(Number<oriel_event_exception_throw>, Recorder& recorder, oriel_object*) { hurry_writer(recorder); }
void follow(Number<oriel_event_exception_message>, Recorder&, oriel_object*, const char*) {
  have_stack_of_next_throw();
}
void follow(Number<oriel_event_resume_end>, Recorder& recorder, oriel_suspend_reason reason, uint64_t paused) {
  if (reason == ORIEL_SUSPEND_GC || reason == ORIEL_SUSPEND_GC_PREPARE)
    recorder.gc_paused_ns.fetch_add(paused, std::memory_order_relaxed);
}

#define ORIEL_RECORD(number, name, stack, fields)                                                   \
  void on_##name(oriel_profiler* profiler ORIEL_SEQ(ORIEL_PARAM, fields)) {                         \
    const CountedTime counted(profiler->recorder);                                                  \
    if (!is_logged(Number<number>(), profiler->recorder ORIEL_SEQ(ORIEL_ARG, fields))) return;      \
    record_with(stack_of_##stack<number>(profiler->recorder), number ORIEL_SEQ(ORIEL_ARG, fields)); \
    follow(Number<number>(), profiler->recorder ORIEL_SEQ(ORIEL_ARG, fields));                      \
  }
#define ORIEL_RECORD_FULL ORIEL_RECORD
#define ORIEL_RECORD_SIGNAL(number, name, stack, fields)  // below
// Rare leaf events are logged like the others. Frequent ones, calls and allocations, have functions below: these are no
// templates, so they take precedence.
#define ORIEL_RECORD_LEAF(number, name, stack, fields) \
  template <typename Otherwise = void>                 \
  ORIEL_RECORD(number, name, stack, fields)
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  ORIEL_RECORD_##context(number, name, stack, fields)
#include "oriel/events.def"
#undef ORIEL_EVENT

// In the signal handler: a sample goes to the rings, not to the thread's events.
void on_sample_hit(oriel_profiler* profiler, const void*, const void* context) {
  profiler->recorder.rings.store(context);
}

// Runs in the program's own code at each call and allocation, and stores it in the thread's call buffer. Methods that
// only other profilers instrument are left out.
inline void log_chosen_call(oriel_profiler* profiler, log::CallKind kind, oriel_method* method) {
  const uint32_t id = oriel_method_id(method);
  if (profiler->recorder.calls.contains(id)) log_call(kind, id);
}
// The last logged site is known to be chosen.
inline bool is_chosen_site(oriel_profiler* profiler, oriel_method* site) {
  return site == nullptr || site == call_cursor->site || profiler->recorder.allocations.contains(oriel_method_id(site));
}

void on_method_enter(oriel_profiler* profiler, oriel_method* method, const void*) {
  log_chosen_call(profiler, log::CallKind::kEnter, method);
}
void on_method_leave(oriel_profiler* profiler, oriel_method* method, const void*) {
  log_chosen_call(profiler, log::CallKind::kLeave, method);
}
void on_method_tail_call(oriel_profiler* profiler, oriel_method* method, oriel_method*) {
  log_chosen_call(profiler, log::CallKind::kLeaveByTailCall, method);
}
void on_method_exception_leave(oriel_profiler* profiler, oriel_method* method, oriel_object*) {
  log_chosen_call(profiler, log::CallKind::kLeaveByException, method);
}
void on_gc_allocation(oriel_profiler* profiler, oriel_class* klass, uint64_t size, oriel_object*, oriel_method* site) {
  if (is_chosen_site(profiler, site)) log_allocation(oriel_class_id(klass), size, site);
}
// An object of a type that was chosen is followed from here on, and logged as a sample that stands for itself.
void on_chosen_allocation(oriel_profiler* profiler, oriel_class* klass, uint64_t size, oriel_object* object,
                          oriel_method*) {
  try {
    if (!profiler->recorder.followed.has(klass)) return;
  } catch (...) {  // out of memory
    return;
  }
  if (const uint32_t number = oriel_object_follow(object, size); number != 0)
    record_with(own_stack(), oriel_event_gc_allocation_followed, klass, size, size, number);
}
// Awaits are rare enough for the buffer of events.
template <uint32_t number, typename... Fields>
void record_async(oriel_profiler* profiler, oriel_method* method, Fields... fields) {
  if (profiler->recorder.async.contains(oriel_method_id(method))) record_with({}, number, method, fields...);
}
void on_async_resume(oriel_profiler* profiler, oriel_method* method, uint32_t task) {
  record_async<oriel_event_async_resume>(profiler, method, task);
}
void on_async_suspend(oriel_profiler* profiler, oriel_method* method, uint32_t task, uint32_t awaited, uint32_t il) {
  record_async<oriel_event_async_suspend>(profiler, method, task, awaited, il);
}
void on_async_complete(oriel_profiler* profiler, oriel_method* method, uint32_t task, oriel_object* exception) {
  record_async<oriel_event_async_complete>(profiler, method, task, exception);
}
void on_gc_allocation_with_stack(oriel_profiler* profiler, oriel_class* klass, uint64_t size, oriel_object*,
                                 oriel_method* site) {
  if (!is_chosen_site(profiler, site)) return;
  const uint64_t begun = ticks();
  const Stack stack = own_stack();
  log_allocation_with_stack(oriel_class_id(klass), size, site, {stack.frames, stack.depth}, stack.truncated);
  take_out(ticks() - begun);  // deeper stacks take longer
}

// Makes the calling thread log into a private buffer.
class Scratch {
 public:
  Scratch() : before_(call_cursor) { call_cursor = &buffer; }
  ~Scratch() { call_cursor = before_; }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  CallBuffer buffer{0};

 private:
  CallCursor* const before_;
};

// The average segment of the calls in the buffer; 0 if there are none.
double average_segment(CallBuffer& buffer, bool timed) {
  std::vector<log::CallRecord> records;
  uint64_t base = 0, count = 0, sum = 0, entered = 0;
  while (buffer.take(records, base)) {
    for (const log::CallRecord& record : records) {
      if (record.kind == log::CallKind::kEnter) entered = record.value;
      if (record.kind != (timed ? log::CallKind::kTimed : log::CallKind::kLeave)) continue;
      sum += timed ? record.value : record.value - entered;
      ++count;
    }
  }
  return count != 0 ? static_cast<double>(sum) / static_cast<double>(count) : 0;
}

// Filters. They run on the engine's thread, or on one that compiles a method.
uint32_t call_filter(oriel_profiler* profiler, oriel_method* method) {
  try {
    Recorder& recorder = profiler->recorder;
    uint32_t probes = ORIEL_CALLS_NONE;
    if (recorder.calls.wants(method)) probes |= recorder.call_probes.load(std::memory_order_relaxed);
    if (recorder.async.wants(method)) probes |= ORIEL_CALLS_ASYNC;
    return probes;
  } catch (...) {  // out of memory
    return ORIEL_CALLS_NONE;
  }
}

bool allocation_filter(oriel_profiler* profiler, oriel_method* method) {
  try {
    return profiler->recorder.allocations.wants(method);
  } catch (...) {
    return false;
  }
}

// Any code may allocate an object of a type.
bool follow_filter(oriel_profiler*, oriel_method*) { return true; }

bool image_filter(oriel_profiler* profiler, oriel_image* image) {
  try {
    const Recorder& recorder = profiler->recorder;
    return recorder.followed.any() || recorder.calls.wants_any(image) || recorder.async.wants_any(image) ||
           recorder.allocations.wants_any(image);
  } catch (...) {
    return true;
  }
}

}  // namespace

modules::ProbeCosts measure_costs(oriel_method* method, oriel_class* klass) {
  oriel_profiler profiler;
  if (!profiler.recorder.calls.add(oriel_method_id(method))) return {};
  const auto segment = [&](bool timed, uint64_t (*code)(uint64_t)) {
    Scratch scratch;
    if (!scratch.buffer.make_room(timed)) return 0.0;
    modules::call_with_probes({on_method_enter, on_method_leave, &profiler, method}, code);
    return average_segment(scratch.buffer, timed);
  };
  const auto allocation = [&] {
    Scratch scratch;
    if (!scratch.buffer.make_room(false)) return 0.0;
    on_gc_allocation(&profiler, klass, 24, nullptr, nullptr);
    const uint64_t begin = serialized_ticks();
    for (int i = 0; i < modules::kCallsToMeasure; ++i) on_gc_allocation(&profiler, klass, 24, nullptr, nullptr);
    return static_cast<double>(serialized_ticks() - begin) / modules::kCallsToMeasure;
  };
  modules::ProbesToMeasure probes{segment, {}};
  if (klass != nullptr) probes.allocation = allocation;
  return modules::measure(probes);
}

void set_filters(oriel_profiler_handle profiler, const Recorder& recorder) {
  const bool calls = recorder.calls.any() || recorder.async.any(), allocations = recorder.allocations.any();
  const bool follows = recorder.followed.any();
  oriel_profiler_set_image_filter_callback(profiler, calls || allocations || follows ? image_filter : nullptr);
  oriel_profiler_set_call_instrumentation_filter_callback(profiler, calls ? call_filter : nullptr);
  oriel_profiler_set_allocation_filter_callback(profiler, allocations ? allocation_filter : nullptr);
  oriel_profiler_set_full_allocation_filter_callback(profiler, follows ? follow_filter : nullptr);
  oriel_profiler_set_gc_allocation_full_callback(profiler, follows ? on_chosen_allocation : nullptr);
}

void listen(oriel_profiler_handle profiler, const EventSet& events) {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  if (events[number]) oriel_profiler_set_##name##_callback(profiler, on_##name);
#include "oriel/events.def"
#undef ORIEL_EVENT
}

void stop_listening(oriel_profiler_handle profiler, const EventSet& events) {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  if (events[number]) oriel_profiler_set_##name##_callback(profiler, nullptr);
#include "oriel/events.def"
#undef ORIEL_EVENT
}

constexpr uint32_t kPhases[] = {oriel_event_gc_marked, oriel_event_gc_phases, oriel_event_gc_triggered,
                                oriel_event_gc_survived, oriel_event_gc_free};

EventSet with_phases(EventSet events) {
  for (const uint32_t number : kPhases) events.set(number);
  return events;
}

void listen_with_stacks(oriel_profiler_handle profiler) {
  oriel_profiler_set_gc_allocation_callback(profiler, on_gc_allocation_with_stack);
}

// Not resume_end: by then, another thread may have begun the next suspension.
void watch_suspensions(oriel_profiler_handle profiler) {
  oriel_profiler_set_suspend_begin_callback(profiler,
                                            [](oriel_profiler*, oriel_suspend_reason) { suspension_begins(); });
  oriel_profiler_set_suspend_aborted_callback(profiler,
                                              [](oriel_profiler*, oriel_suspend_reason) { suspension_ends(); });
  oriel_profiler_set_resume_begin_callback(profiler, [](oriel_profiler*, oriel_suspend_reason) { suspension_ends(); });
}

}  // namespace oriel::log_module
