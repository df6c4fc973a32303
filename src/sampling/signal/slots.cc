#include "sampling/signal/slots.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <new>

#include "base/clock.h"
#include "base/random.h"

// glibc has this member name only from 2.38 on.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace oriel::sampling {
namespace {

constexpr int64_t kPatience = 100'000'000;
constexpr size_t kMaxExcluded = 256;
std::atomic<uint32_t> excluded[kMaxExcluded];

timespec to_timespec(int64_t ns) { return {ns / 1'000'000'000, ns % 1'000'000'000}; }

// Only on the thread's own CPU clock: since Linux 5.10 the system checks such a timer when the thread returns to user
// code (CONFIG_POSIX_CPU_TIMERS_TASK_WORK), never during a system call. Any other signal may interrupt a waiting
// thread, and calls that are never restarted according to signal(7) (sleeps, poll, anything with a timeout) would then
// return early.
bool create_timer(Slot& slot) {
  const uint32_t tid = slot.tid.load(std::memory_order_relaxed);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = state.signal;
  event.sigev_value.sival_ptr = &slot;
  event.sigev_notify_thread_id = static_cast<pid_t>(tid);
  return timer_create(cpu_clock_of(tid), &event, &slot.timer) == 0;
}

// Relative to now: a timer set to a clock reading that has passed fires immediately, even while its thread waits.
bool set_timer(const Slot& slot) {
  // It cannot fire more often than the tick: samples then stand for several periods each.
  const int64_t interval = std::max(state.interval_ns.load(), kernel_tick_ns());
  const int64_t due = slot.accounted.load() + state.interval_ns - read_clock_ns(cpu_clock_of(slot.tid.load()));
  const itimerspec times{to_timespec(interval), to_timespec(std::max<int64_t>(due, 1))};
  return timer_settime(slot.timer, 0, &times, nullptr) == 0;
}

void arm_timer(Slot& slot) {
  if (!create_timer(slot)) return;
  slot.has_timer.store(set_timer(slot));
  if (!slot.has_timer.load()) timer_delete(slot.timer);
}

// The lowest free slot, so that modules' per-thread buffers are reused.
Slot* find_free_slot() {
  const uint32_t used = state.slots_used.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < used; i++) {
    if (state.slots[i].tid.load(std::memory_order_relaxed) == 0) return &state.slots[i];
  }
  if (used == ORIEL_MAX_SAMPLED_THREADS || !state.slots.map(used)) return nullptr;
  state.slots[used].number = used;
  state.slots_used.store(used + 1);
  return &state.slots[used];
}

// Why a thread's periods produce no sample.
oriel_lost_reason reason_of(const Slot& slot) {
  if (!slot.has_timer.load()) return ORIEL_LOST_TIMER_FAILED;
  return slot.blocks_signal.load() ? ORIEL_LOST_SIGNAL_BLOCKED : ORIEL_LOST_THREAD_ENDED;
}

}  // namespace

bool Slots::map(uint32_t number) {
  auto& group = groups_[number / kGroup];
  if (group.load(std::memory_order_relaxed)) return true;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* memory = mmap(nullptr, kGroup * sizeof(Slot), PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (memory == MAP_FAILED) return false;
  // Zeroed pages are valid slots; a constructor would touch all of them.
  group.store(static_cast<Slot*>(memory), std::memory_order_release);
  return true;
}

int64_t random_below(int64_t limit) {
  static uint64_t seed = clock_counter() | 1;
  return static_cast<int64_t>(next_random(seed) % static_cast<uint64_t>(limit));
}

Slot* open_slot(uint32_t tid, int64_t accounted) {
  Slot* slot = find_free_slot();
  if (!slot) {
    count_without_slot(tid, accounted);
    return nullptr;
  }
  // Best effort: a handler that overflows its stack faults here instead of overwriting what lies below.
  mprotect(slot->guard, sizeof(slot->guard), PROT_NONE);
  slot->thread_pointer.store(0);
  slot->stack_high.store(0);
  slot->stack_low.store(0);
  slot->wants_bounds.store(false);
  slot->busy.exchange(false);  // and makes the previous thread's handler's writes visible
  slot->excluded.store(false);
  slot->stopped.store(false);
  slot->waited_at_stop.store(-1);
  // A random phase, so that threads are not sampled in step.
  slot->accounted.store(accounted + 1 - state.interval_ns + random_below(state.interval_ns));
  slot->used = {};
  slot->bounds_tries = 0;
  slot->stopped_scans = 0;
  slot->has_wait_stack = false;
  slot->blocks_signal.store(false);
  slot->cpu_at_scan = 0;
  slot->tid.store(tid);
  // After the slot can be found by its thread: exclude() adds the thread to the list before it looks for its slot.
  if (is_excluded(tid)) slot->excluded.store(true);
  arm_timer(*slot);
  if (!slot->has_timer.load() && read_clock_ns(cpu_clock_of(tid)) < 0) {
    close_slot(*slot);
    return nullptr;
  }
  return slot;
}

void rearm_timer(Slot& slot) {
  if (slot.has_timer.load()) set_timer(slot);
}

void go_without_timer(Slot& slot) {
  count_unsampled(slot, slot.cpu_at_scan);
  arm_timer(slot);
}

void count_unsampled(Slot& slot, int64_t cpu) {
  if (slot.excluded.load()) return;  // none of it was to be sampled
  const int64_t before = slot.accounted.load(std::memory_order_relaxed);
  if (cpu - before < state.interval_ns) return;  // as likely as not sampled, like the threads that were
  const int64_t periods = (cpu - before) / state.period_ns;
  count_lost(reason_of(slot), static_cast<uint64_t>(periods));
  slot.accounted.fetch_add(periods * state.period_ns, std::memory_order_relaxed);
}

void close_slot(Slot& slot) {
  if (slot.has_timer.load()) timer_delete(slot.timer);
  count_unsampled(slot, slot.cpu_at_scan);
  slot.has_timer.store(false);
  slot.tid.store(0);
}

bool wait_for_handlers() {
  const int64_t until = read_clock_ns(CLOCK_MONOTONIC) + kPatience;
  const uint32_t used = state.slots_used.load();
  for (uint32_t i = 0; i < used; i++) {
    while (state.slots[i].busy.load()) {
      if (read_clock_ns(CLOCK_MONOTONIC) > until) return false;
      usleep(20);
    }
  }
  return true;
}

bool is_excluded(uint32_t tid) {
  for (const auto& entry : excluded) {
    if (entry.load() == tid) return true;
  }
  return false;
}

void exclude(uint32_t tid) {
  if (is_excluded(tid)) return;
  for (auto& entry : excluded) {
    uint32_t none = 0;
    if (entry.compare_exchange_strong(none, tid)) return;
  }
}

void forget_excluded_except(bool (*is_alive)(uint32_t tid)) {
  for (auto& entry : excluded) {
    uint32_t tid = entry.load();
    if (tid != 0 && !is_alive(tid)) entry.compare_exchange_strong(tid, 0);
  }
}

}  // namespace oriel::sampling
