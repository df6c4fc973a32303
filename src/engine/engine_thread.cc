#include "engine/engine_thread.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <ctime>
#include <mutex>

#include "base/process/own_thread.h"
#include "engine/code/requests.h"
#include "engine/engine.h"
#include "engine/filters.h"
#include "engine/hits/hit_methods.h"
#include "engine/hits/runtime_counts.h"
#include "engine/lifecycle.h"
#include "engine/messages.h"
#include "engine/or_else.h"
#include "engine/probes.h"
#include "engine/profilers.h"
#include "engine/watched.h"
#include "sampling/sampling.h"

namespace oriel::engine_thread {
namespace {

// Counts wakes; the thread sleeps on it (futex). The program could close a file descriptor and reuse its number.
constinit std::atomic<uint32_t> wakes{0};
constinit std::atomic<uint32_t> applied{0};  // the wakes that have taken effect
constinit std::atomic<bool> is_open{false};
constinit std::atomic<bool> stopping{false};
constinit std::atomic<bool> code_map_wanted{false};
constinit std::atomic<bool> frame_tables_wanted{false};

// How often to look for newly loaded libraries.
constexpr timespec kLookForLibraries{0, 500'000'000};

constinit std::mutex start_lock;  // guards the next three
constinit bool started = false;
constinit bool stuck = false;  // it did not end when it was closed
constinit pthread_t thread{};

// The needs last applied to the runtime. Only apply_needs uses it, never concurrently.
RuntimeNeeds& told() {
  static auto* const needs = new RuntimeNeeds;
  return *needs;
}

RuntimeNeeds current_needs() {
  RuntimeNeeds needs;
  for (size_t number = 0; number < oriel_event_number_end; ++number) {
    needs.events[number] = event_counters[number].load(std::memory_order_acquire) != 0;
  }
  oriel_sample_mode mode = ORIEL_SAMPLE_NONE;
  oriel_get_sample_mode(nullptr, &mode, nullptr);
  const bool sampled = mode != ORIEL_SAMPLE_NONE || needs.events[oriel_event_sample_hit];
  needs.threads = sampled;
  needs.code_map = sampled || code_map_wanted.load(std::memory_order_acquire);
  needs.filter_generation = filter_generation();
  needs.filters = has_filters();
  needs.watched = watched();
  return needs;
}

long futex(std::atomic<uint32_t>& on, int operation, uint32_t value, const timespec* timeout) {
  return syscall(SYS_futex, &on, operation | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
}

// Returns once there were more wakes than `seen`.
void wait_for_wake(uint32_t seen) {
  while (wakes.load(std::memory_order_acquire) == seen) {
    const bool tables = frame_tables_wanted.load(std::memory_order_acquire);
    if (tables) sampling::refresh_frame_tables();
    const bool counted = hits::may_have_hit_methods();
    if (counted) attempt(hits::remove_hit_probes);
    timespec pause = kLookForLibraries;
    const bool collects = hits::has_runtime_counts();
    if (collects) attempt([&] { pause.tv_nsec = std::min(pause.tv_nsec, long{hits::collect_when_due().count()}); });
    futex(wakes, FUTEX_WAIT, seen, tables || counted || collects ? &pause : nullptr);
  }
}

// Uses the program's descriptor table (base/files/own_files.h), as the runtime may open and close files on whatever
// thread calls it.
void* run(void*) {
  pthread_setname_np(pthread_self(), "oriel-engine");
  oriel_thread_attach_tools();
  for (;;) {
    const uint32_t seen = wakes.load(std::memory_order_acquire);
    print_deferred_messages();
    if (stopping.load(std::memory_order_acquire)) return nullptr;
    attempt(apply_needs);
    applied.store(seen, std::memory_order_release);
    futex(applied, FUTEX_WAKE, INT_MAX, nullptr);
    wait_for_wake(seen);
  }
}

bool start_thread() { return start_own_thread(thread, run, nullptr) == 0; }

bool try_start() {
  const std::lock_guard guard(start_lock);
  if (started || stopping.load()) return true;
  started = start_thread();
  return started;
}

// False if the thread still runs after that. pthread_timedjoin_np ends by the wall clock, which may be set back.
bool join_within(int milliseconds) {
  constexpr useconds_t kNap = 100;  // microseconds
  for (int naps = 0; naps < milliseconds * 10; ++naps) {
    if (pthread_tryjoin_np(thread, nullptr) == 0) return true;
    usleep(kNap);
  }
  return false;
}

}  // namespace

void wake() {
  const int before = errno;
  wakes.fetch_add(1, std::memory_order_acq_rel);
  futex(wakes, FUTEX_WAKE, 1, nullptr);
  errno = before;
}

bool wait_until_applied(int milliseconds) {
  constexpr timespec kLook{0, 10'000'000};  // the thread may end
  wake();
  const uint32_t wanted = wakes.load(std::memory_order_acquire);
  for (int waited = 0; waited < milliseconds; waited += 10) {
    const uint32_t now = applied.load(std::memory_order_acquire);
    if (static_cast<int32_t>(now - wanted) >= 0) return true;
    futex(applied, FUTEX_WAIT, now, &kLook);
  }
  return false;
}

void apply_needs() {
  apply_sample_mode();
  update_probe_cells();
  Runtime* const runtime = current_runtime();
  if (!runtime) return;
  const RuntimeNeeds needs = current_needs();
  if (!(needs == told())) {
    runtime->apply(needs);
    told() = needs;
  }
  recompile_requested(*runtime);
  hits::restore_probes();
}

void open() {
  is_open.store(true);
  ensure_started();
}

void ensure_started() {
  if (!is_open.load() || !first_profiler() || is_ending()) return;
  if (!try_start()) {
    warn(
        "cannot start the engine's own thread; callbacks set or removed while the program runs take no effect in the "
        "runtime; raise the limit on threads (ulimit -u)");
  }
}

void stop() {
  stopping.store(true);
  const std::lock_guard guard(start_lock);
  if (!started || pthread_equal(thread, pthread_self())) return;
  wake();
  join_within(200);
}

bool is_stuck() {
  const std::lock_guard guard(start_lock);
  return stuck;
}

bool close() {
  is_open.store(false);
  stopping.store(true);
  {
    const std::lock_guard guard(start_lock);
    wake();
    stuck = started && !join_within(10'000);
    if (stuck) return false;
    started = false;
  }
  code_map_wanted.store(false);
  frame_tables_wanted.store(false);
  apply_needs();
  told() = {};
  stopping.store(false);
  return true;
}

void want_frame_tables() {
  if (!frame_tables_wanted.load(std::memory_order_relaxed) && !frame_tables_wanted.exchange(true)) wake();
}

void want_code_map() {
  if (!code_map_wanted.load(std::memory_order_relaxed) && !code_map_wanted.exchange(true)) wake();
}

}  // namespace oriel::engine_thread
