// A module for tests and benchmarks of instrumentation: counts what its probes report, per thread, and says so on
// stderr when the process ends, one line "probes: enter=… leave=… tail=… exception=… open=… objects=… bytes=… NAME=…".
//
// Arguments, joined by '+': calls (of all methods), calls=PREFIX (of methods whose names begin so), alloc,
// alloc=PREFIX, latent (filters, but no callbacks), full, events-full (those whose callbacks may block), block (no
// inlining), context (reads every value of every call: values=…), classes (objects by class: one line each), sampled
// (counts sampled allocations: samples=…, represented=…), toggle=MS (takes the filters away and sets them again every
// so often, on a thread of its own), out=MS (takes them away once, so long after the start).
#include <oriel/oriel.h>
#include <unistd.h>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>

struct oriel_profiler {
  std::string calls, allocations;
  bool with_calls = false, with_allocations = false, latent = false, full = false, block = false, context = false,
       sampled = false;
  bool classes = false, events_full = false;
  unsigned toggle_ms = 0, out_ms = 0;
  oriel_profiler_handle handle = nullptr;
};

namespace {

oriel_profiler self;

// One a thread that was ever there, in a list that only grows.
struct Counts {
  std::atomic<uint64_t> enter{0}, leave{0}, tail{0}, exception{0}, objects{0}, bytes{0}, values{0};
  Counts* next = nullptr;
};
std::atomic<Counts*> all_counts{nullptr};
__attribute__((tls_model("initial-exec"))) thread_local Counts* own = nullptr;

constexpr uint32_t kClasses = 1 << 16;
std::atomic<uint64_t> objects_of[kClasses];
std::atomic<uint64_t> bytes_of[kClasses];

Counts& counts() {
  if (own) return *own;
  own = new Counts;
  own->next = all_counts.load();
  while (!all_counts.compare_exchange_weak(own->next, own)) {
  }
  return *own;
}

void add(std::atomic<uint64_t>& counter, uint64_t value = 1) {
  counter.store(counter.load(std::memory_order_relaxed) + value, std::memory_order_relaxed);
}

bool begins(oriel_method* method, const std::string& prefix) {
  return prefix.empty() || std::strncmp(oriel_method_name(method), prefix.c_str(), prefix.size()) == 0;
}

uint32_t call_filter(oriel_profiler*, oriel_method* method) {
  if (!begins(method, self.calls)) return ORIEL_CALLS_NONE;
  if (self.events_full) return ORIEL_CALLS_ENTER_FULL | ORIEL_CALLS_LEAVE_FULL;
  uint32_t calls = ORIEL_CALLS_ALL;
  if (self.full) calls |= ORIEL_CALLS_FULL;
  if (self.context) calls |= ORIEL_CALLS_ENTER_CONTEXT | ORIEL_CALLS_LEAVE_CONTEXT;
  if (self.block) calls |= ORIEL_CALLS_BLOCK_INLINING;
  return calls;
}

bool allocation_filter(oriel_profiler*, oriel_method* method) { return begins(method, self.allocations); }

// Every byte of a value is read; every object that it refers to has a class.
void read_value(const oriel_value& value) {
  const auto* bytes = static_cast<const volatile unsigned char*>(value.address);
  for (uint32_t i = 0; i < value.size; ++i) (void)bytes[i];
  if (value.kind == ORIEL_VALUE_OBJECT) oriel_object_class(*static_cast<oriel_object* const*>(value.address));
  add(counts().values);
}

void read_context(const void* context) {
  oriel_value value;
  if (context == nullptr) return;
  if (oriel_call_context_this(context, &value)) read_value(value);
  for (uint32_t i = 0; i < 8 && oriel_call_context_argument(context, i, &value); ++i) read_value(value);
  for (uint32_t i = 0; i < 8 && oriel_call_context_local(context, i, &value); ++i) read_value(value);
  if (oriel_call_context_result(context, &value)) read_value(value);
}

void on_enter(oriel_profiler*, oriel_method*, const void* context) {
  add(counts().enter);
  if (self.context || !self.events_full) read_context(context);
}
void on_leave(oriel_profiler*, oriel_method*, const void* context) {
  add(counts().leave);
  if (self.context || !self.events_full) read_context(context);
}
void on_tail(oriel_profiler*, oriel_method*, oriel_method*) { add(counts().tail); }
void on_exception(oriel_profiler*, oriel_method*, oriel_object*) { add(counts().exception); }
void on_object(oriel_profiler*, oriel_class* klass, uint64_t size, oriel_object*, oriel_method*) {
  Counts& here = counts();
  add(here.objects);
  add(here.bytes, size);
  if (!self.classes) return;
  const uint32_t id = oriel_class_id(klass) % kClasses;
  objects_of[id].fetch_add(1, std::memory_order_relaxed);
  bytes_of[id].fetch_add(size, std::memory_order_relaxed);
}

std::atomic<uint64_t> samples{0}, represented{0};
void on_sampled(oriel_profiler*, oriel_class*, uint64_t, uint64_t bytes) {
  samples.fetch_add(1, std::memory_order_relaxed);
  represented.fetch_add(bytes, std::memory_order_relaxed);
}

void set_filters(bool on) {
  if (self.with_calls) {
    oriel_profiler_set_call_instrumentation_filter_callback(self.handle, on ? call_filter : nullptr);
  }
  if (self.with_allocations) {
    const auto filter = on ? allocation_filter : nullptr;
    self.events_full ? oriel_profiler_set_full_allocation_filter_callback(self.handle, filter)
                     : oriel_profiler_set_allocation_filter_callback(self.handle, filter);
  }
}

void take_out() {
  oriel_thread_attach_tools();
  usleep(self.out_ms * 1000);
  set_filters(false);
}

void toggle() {
  oriel_thread_attach_tools();
  for (bool on = false;; on = !on) {
    usleep(self.toggle_ms * 1000);
    set_filters(on);
  }
}

void on_cleanup(oriel_profiler*) {
  uint64_t enter = 0, leave = 0, tail = 0, exception = 0, objects = 0, bytes = 0, values = 0, open = 0;
  for (Counts* it = all_counts.load(); it; it = it->next) {
    enter += it->enter, leave += it->leave, tail += it->tail, exception += it->exception;
    objects += it->objects, bytes += it->bytes, values += it->values;
    open += it->enter - it->leave - it->tail - it->exception;
  }
  char line[1024];
  int used = std::snprintf(line, sizeof line,
                           "probes: enter=%" PRIu64 " leave=%" PRIu64 " tail=%" PRIu64 " exception=%" PRIu64
                           " open=%" PRId64 " objects=%" PRIu64 " bytes=%" PRIu64 " values=%" PRIu64,
                           enter, leave, tail, exception, static_cast<int64_t>(open), objects, bytes, values);
  if (self.sampled)
    std::fprintf(stderr, "samples=%" PRIu64 " represented=%" PRIu64 "\n", samples.load(), represented.load());
  uint64_t outcomes[ORIEL_INSTRUMENTATION_OUTCOMES];
  oriel_instrumentation_counts(outcomes);
  for (uint32_t i = 0; i < ORIEL_INSTRUMENTATION_OUTCOMES; ++i) {
    used += std::snprintf(line + used, sizeof line - static_cast<size_t>(used), " \"%s\"=%" PRIu64,
                          oriel_instrumentation_outcome_name(i), outcomes[i]);
  }
  std::fprintf(stderr, "%s\n", line);
  for (uint32_t id = 1; id < kClasses && self.classes; ++id) {
    if (objects_of[id] == 0) continue;
    std::fprintf(stderr, "class: %" PRIu64 " %" PRIu64 " %s\n", objects_of[id].load(), bytes_of[id].load(),
                 oriel_class_name(oriel_class_by_id(id)));
  }
}

bool set_option(std::string_view option) {
  const size_t equals = option.find('=');
  const std::string_view name = option.substr(0, equals);
  const std::string value(equals == std::string_view::npos ? std::string_view() : option.substr(equals + 1));
  if (name == "calls") {
    self.with_calls = true;
    self.calls = value;
  } else if (name == "alloc") {
    self.with_allocations = true;
    self.allocations = value;
  } else if (name == "latent") {
    self.latent = true;
  } else if (name == "full") {
    self.full = true;
  } else if (name == "events-full") {
    self.events_full = true;
  } else if (name == "context") {
    self.context = true;
  } else if (name == "sampled") {
    self.sampled = true;
  } else if (name == "block") {
    self.block = true;
  } else if (name == "classes") {
    self.classes = true;
  } else if (name == "toggle") {
    self.toggle_ms = static_cast<unsigned>(std::stoul(value));
  } else if (name == "out") {
    self.out_ms = static_cast<unsigned>(std::stoul(value));
  } else {
    return false;
  }
  return true;
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_probes(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_probes(const char* args) {
  std::string_view rest = args;
  while (!rest.empty()) {
    const size_t plus = rest.find('+');
    if (!set_option(rest.substr(0, plus))) return 1;
    rest = plus == std::string_view::npos ? std::string_view() : rest.substr(plus + 1);
  }
  self.handle = oriel_profiler_create(&self);
  if (!self.latent && self.events_full) {
    oriel_profiler_set_method_enter_full_callback(self.handle, on_enter);
    oriel_profiler_set_method_leave_full_callback(self.handle, on_leave);
    if (self.with_allocations) oriel_profiler_set_gc_allocation_full_callback(self.handle, on_object);
  } else if (!self.latent) {
    oriel_profiler_set_method_enter_callback(self.handle, on_enter);
    oriel_profiler_set_method_leave_callback(self.handle, on_leave);
    oriel_profiler_set_method_tail_call_callback(self.handle, on_tail);
    oriel_profiler_set_method_exception_leave_callback(self.handle, on_exception);
    if (self.with_allocations) oriel_profiler_set_gc_allocation_callback(self.handle, on_object);
  }
  if (self.sampled) oriel_profiler_set_gc_allocation_sampled_callback(self.handle, on_sampled);
  set_filters(true);
  oriel_profiler_set_cleanup_callback(self.handle, on_cleanup);
  if (self.toggle_ms != 0) std::thread(toggle).detach();
  if (self.out_ms != 0) std::thread(take_out).detach();
  return 0;
}
