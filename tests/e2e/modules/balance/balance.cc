// A module for tests of instrumentation: counts how often each method was entered and in which way it was left, and
// whether every thread has left what it entered; writes that to a file when the process ends, so that the program's own
// output stays as it is.
//
//   method ENTER LEAVE TAIL EXCEPTION NAME
//   thread OPEN                              one line a thread: what it entered and has not left
//   target CALLER -> CALLEE                  where a method's last tail call went, "null" if that was not told
//   outcome COUNT NAME
//   switches COUNT
//
// Arguments, joined by '+': out=FILE; in=PREFIX (methods whose names begin so; default all); alloc, full, block,
// context; late=MS (the filters are set that long after the start); then=PREFIX (as long after that, methods whose
// names begin so instead); toggle=MS (taken away and set again every so often); throws, nonsense (a filter that does
// so).
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
  std::string out, first_prefix, then_prefix;
  std::atomic<const std::string*> prefix = &first_prefix;
  bool allocations = false, full = false, block = false, context = false, throws = false, nonsense = false;
  unsigned late_ms = 0, toggle_ms = 0;
  oriel_profiler_handle handle = nullptr;
};

namespace {

oriel_profiler self;

enum Way { kEnter, kLeave, kTail, kException, kWays };
constexpr uint32_t kMethods = 1 << 19;
std::atomic<uint64_t> counts[kMethods][kWays];
std::atomic<oriel_method*> targets[kMethods];  // of tail calls
std::atomic<uint64_t> objects{0}, switches{0};

// One a thread that was ever there, in a list that only grows.
struct Thread {
  std::atomic<int64_t> open{0};
  Thread* next = nullptr;
};
std::atomic<Thread*> threads{nullptr};
__attribute__((tls_model("initial-exec"))) thread_local Thread* own = nullptr;

Thread& own_thread() {
  if (own) return *own;
  own = new Thread;
  own->next = threads.load();
  while (!threads.compare_exchange_weak(own->next, own)) {
  }
  return *own;
}

void note(oriel_method* method, Way way) {
  counts[oriel_method_id(method) % kMethods][way].fetch_add(1, std::memory_order_relaxed);
  std::atomic<int64_t>& open = own_thread().open;
  open.store(open.load(std::memory_order_relaxed) + (way == kEnter ? 1 : -1), std::memory_order_relaxed);
}

bool meant(oriel_method* method) {
  return std::string_view(oriel_method_name(method)).starts_with(*self.prefix.load());
}

uint32_t call_filter(oriel_profiler*, oriel_method* method) {
  if (self.throws) throw 1;
  if (self.nonsense) return 0xffff0001u;
  if (!meant(method)) return ORIEL_CALLS_NONE;
  return ORIEL_CALLS_ALL | (self.full ? ORIEL_CALLS_FULL : 0) | (self.block ? ORIEL_CALLS_BLOCK_INLINING : 0) |
         (self.context ? ORIEL_CALLS_ENTER_CONTEXT | ORIEL_CALLS_LEAVE_CONTEXT : 0);
}

bool allocation_filter(oriel_profiler*, oriel_method* method) { return meant(method); }

void set_filters(bool on) {
  oriel_profiler_set_call_instrumentation_filter_callback(self.handle, on ? call_filter : nullptr);
  if (self.allocations) {
    oriel_profiler_set_allocation_filter_callback(self.handle, on ? allocation_filter : nullptr);
  }
}

void switch_filters() {
  oriel_thread_attach_tools();
  if (self.late_ms != 0) {
    usleep(self.late_ms * 1000);
    set_filters(true);
  }
  if (!self.then_prefix.empty()) {
    usleep(self.late_ms * 1000);
    self.prefix = &self.then_prefix;
    set_filters(true);
  }
  for (bool on = false; self.toggle_ms != 0; on = !on) {
    usleep(self.toggle_ms * 1000);
    set_filters(on);
    switches.fetch_add(1);
  }
}

void write_counts(oriel_profiler*) {
  FILE* out = std::fopen(self.out.c_str(), "w");
  if (out == nullptr) return;
  for (uint32_t id = 1; id <= oriel_method_count() && id < kMethods; ++id) {
    const auto& ways = counts[id];
    if (!ways[kEnter] && !ways[kLeave] && !ways[kTail] && !ways[kException]) continue;
    const char* name = oriel_method_name(oriel_method_by_id(id));
    std::fprintf(out, "method %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n", ways[kEnter].load(),
                 ways[kLeave].load(), ways[kTail].load(), ways[kException].load(), name);
    if (!ways[kTail]) continue;
    oriel_method* const target = targets[id].load();
    std::fprintf(out, "target %s -> %s\n", name, target ? oriel_method_name(target) : "null");
  }
  for (const Thread* it = threads.load(); it; it = it->next) std::fprintf(out, "thread %" PRId64 "\n", it->open.load());
  uint64_t outcomes[ORIEL_INSTRUMENTATION_OUTCOMES];
  oriel_instrumentation_counts(outcomes);
  for (uint32_t i = 0; i < ORIEL_INSTRUMENTATION_OUTCOMES; ++i) {
    std::fprintf(out, "outcome %" PRIu64 " %s\n", outcomes[i], oriel_instrumentation_outcome_name(i));
  }
  std::fprintf(out, "objects %" PRIu64 "\nswitches %" PRIu64 "\n", objects.load(), switches.load());
  std::fclose(out);
}

bool set_option(std::string_view option) {
  const size_t equals = option.find('=');
  const std::string_view name = option.substr(0, equals);
  const std::string value(equals == std::string_view::npos ? std::string_view() : option.substr(equals + 1));
  if (name == "out") return self.out = value, true;
  if (name == "in") return self.first_prefix = value, true;
  if (name == "then") return self.then_prefix = value, true;
  if (name == "alloc") return self.allocations = true;
  if (name == "full") return self.full = true;
  if (name == "block") return self.block = true;
  if (name == "context") return self.context = true;
  if (name == "throws") return self.throws = true;
  if (name == "nonsense") return self.nonsense = true;
  if (name == "late") return self.late_ms = static_cast<unsigned>(std::stoul(value)), true;
  if (name == "toggle") return self.toggle_ms = static_cast<unsigned>(std::stoul(value)), true;
  return false;
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_balance(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_balance(const char* args) {
  std::string_view rest = args;
  while (!rest.empty()) {
    const size_t plus = rest.find('+');
    if (!set_option(rest.substr(0, plus))) return 1;
    rest = plus == std::string_view::npos ? std::string_view() : rest.substr(plus + 1);
  }
  self.handle = oriel_profiler_create(&self);
  oriel_profiler_set_method_enter_callback(
      self.handle, [](oriel_profiler*, oriel_method* method, const void*) { note(method, kEnter); });
  oriel_profiler_set_method_leave_callback(
      self.handle, [](oriel_profiler*, oriel_method* method, const void*) { note(method, kLeave); });
  oriel_profiler_set_method_tail_call_callback(
      self.handle, [](oriel_profiler*, oriel_method* method, oriel_method* target) {
        note(method, kTail);
        targets[oriel_method_id(method) % kMethods].store(target, std::memory_order_relaxed);
      });
  oriel_profiler_set_method_exception_leave_callback(
      self.handle, [](oriel_profiler*, oriel_method* method, oriel_object*) { note(method, kException); });
  if (self.allocations) {
    oriel_profiler_set_gc_allocation_callback(
        self.handle, [](oriel_profiler*, oriel_class*, uint64_t, oriel_object*, oriel_method*) {
          objects.fetch_add(1, std::memory_order_relaxed);
        });
  }
  if (self.late_ms == 0) set_filters(true);
  if (self.late_ms != 0 || self.toggle_ms != 0) std::thread(switch_filters).detach();
  oriel_profiler_set_cleanup_callback(self.handle, write_counts);
  return 0;
}
