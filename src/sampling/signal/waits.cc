#include "sampling/signal/waits.h"

#include <algorithm>
#include <cstring>

#include "base/clock.h"
#include "sampling/signal/handler.h"
#include "sampling/signal/look_pace.h"
#include "sampling/signal/proc.h"
#include "sampling/signal/slots.h"
#include "sampling/walk/stack_walk.h"

namespace oriel::sampling {
namespace {

constexpr int64_t kMostOfFinish = 20'000'000;
constexpr int64_t kOfNewThread = 1'000'000;  // the CPU time of a thread that has just started is below this

// State of one slot's thread.
struct Wait {
  int64_t looked = 0;  // time of the last look, on the monotonic clock
  int64_t due = 0;
  int64_t cpu = 0;        // its CPU clock at that time
  int64_t since = 0;      // when its wait was first seen
  int64_t untold = 0;     // waiting time without a sample so far; negative: samples stand for too much
  int64_t run_delay = 0;  // from the last read_run_delay_ns; -1: never read
  bool waits = false;     // the slot has the stack of its wait, if that is still available
};

Wait waits[ORIEL_MAX_SAMPLED_THREADS];
Walker walker;  // has no bounds
LookPace pace;
uint32_t cursor = 0;
int64_t round_began = 0;

Wait& wait_of(const Slot& slot) { return waits[slot.number]; }

int64_t own_cpu() { return read_clock_ns(CLOCK_THREAD_CPUTIME_ID); }

// Reports the wait whose stack the slot has, for the whole periods in `time`. The caller holds `busy`.
void tell(Slot& slot, Wait& wait, int64_t time) {
  const int64_t periods = time / state.period_ns;
  if (periods <= 0 || !slot.has_wait_stack) return;
  const uintptr_t ip = slot.wait_stack_depth != 0 ? slot.frames[0] : 0;
  const SampleInSlot sample{{.ip = ip,
                             .time = clock_counter(),
                             .slot = slot.number,
                             .os_thread = slot.tid.load(std::memory_order_relaxed),
                             .periods = static_cast<uint32_t>(std::min<int64_t>(periods, UINT32_MAX)),
                             .in_page_fault = false,
                             .waits = true},
                            slot,
                            nullptr,
                            true,
                            slot.wait_stack_truncated,
                            slot.wait_stack_depth};
  wait.untold -= int64_t{sample.periods} * state.period_ns;
  state.handler.load(std::memory_order_relaxed)(sample);
}

void store_stack(Slot& slot, size_t depth, WalkEnd end) {
  std::memcpy(slot.frames, walker.frames, depth * sizeof(*walker.frames));
  slot.wait_stack_depth = static_cast<uint32_t>(depth);
  slot.wait_stack_truncated = end != WalkEnd::kThreadStart;
  slot.has_wait_stack = true;
  if (end == WalkEnd::kBroken) count_lost(ORIEL_LOST_STACK_BROKEN);
  if (end == WalkEnd::kTooDeep) count_lost(ORIEL_LOST_STACK_DEEP);
}

// Returns whether the thread waits, and has waited since its CPU clock was read. If so, the slot has its stack, an
// empty one if the system does not tell. The caller holds `busy`.
bool find_wait(Slot& slot, const Wait& wait, bool stood_still) {
  const uint32_t tid = slot.tid.load(std::memory_order_relaxed);
  BlockedAt at;
  const ThreadState found = read_thread_state(tid, at);
  if (found == ThreadState::kRuns || (found == ThreadState::kUnknown && !stood_still)) return false;
  const Walk walk = found == ThreadState::kWaits ? walk_blocked(walker, at) : Walk{0, WalkEnd::kBroken};
  if (read_clock_ns(cpu_clock_of(tid)) != wait.cpu) return false;
  store_stack(slot, walk.depth, walk.end);
  return true;
}

// For a thread that ran since the last look: the time that it waited for a processor is not part of its waits. In
// wall-clock mode it belongs to the place where the thread runs, and goes to its next sample there.
int64_t take_run_delay(Slot& slot, Wait& wait) {
  const int64_t now = read_run_delay_ns(slot.tid.load(std::memory_order_relaxed));
  const int64_t before = wait.run_delay;
  wait.run_delay = now;
  if (before < 0 || now <= before) return 0;
  const int64_t delay = now - before;
  wait.untold -= delay;
  state.ready_time.fetch_add(delay, std::memory_order_relaxed);
  if (state.mode == ORIEL_SAMPLE_REAL) slot.accounted.fetch_sub(delay, std::memory_order_relaxed);
  return delay;
}

// The thread ran since the last look, or the place of its wait is unknown.
void look_again(Slot& slot, Wait& wait, int64_t of_old_wait, bool stood_still) {
  const int64_t period = state.look_period_ns;
  if (slot.busy.exchange(true)) {  // a sample of it is being taken: it runs
    wait.waits = false;
    wait.due = wait.looked + period;
    return;
  }
  if (wait.waits) tell(slot, wait, of_old_wait);
  wait.waits = find_wait(slot, wait, stood_still);
  if (wait.waits) {
    wait.since = wait.looked;
    tell(slot, wait, wait.untold);
  } else {
    slot.has_wait_stack = false;
  }
  slot.busy.store(false);
  wait.due = wait.looked + period;
}

// The thread is still in the same wait.
void go_on_waiting(Slot& slot, Wait& wait) {
  wait.due = wait.looked + look_interval(wait.looked - wait.since, state.look_period_ns);
  if (slot.busy.exchange(true)) return;
  tell(slot, wait, wait.untold);
  slot.busy.store(false);
}

// Returns whether the look was expensive.
bool look_at(Slot& slot, Wait& wait) {
  const int64_t cpu = read_clock_ns(cpu_clock_of(slot.tid.load(std::memory_order_relaxed)));
  if (cpu < 0) return false;  // it ended
  const int64_t now = read_clock_ns(CLOCK_MONOTONIC);
  const int64_t passed = now - wait.looked;
  const int64_t ran = cpu - wait.cpu;
  const int64_t before = std::max<int64_t>(wait.untold, 0);
  wait.untold += passed - ran;
  wait.looked = now;
  wait.cpu = cpu;
  if (ran == 0 && wait.waits) {
    go_on_waiting(slot, wait);
    return false;
  }
  const int64_t waited = passed - ran - take_run_delay(slot, wait);
  look_again(slot, wait, std::min(before + part_of_old_wait(waited, state.look_period_ns), wait.untold), ran == 0);
  return true;
}

bool is_looked_at(const Slot& slot) {
  return slot.tid.load(std::memory_order_relaxed) != 0 && !slot.excluded.load() && !slot.stopped.load();
}

// All threads that were due have been inspected.
void end_round(int64_t now) {
  cursor = 0;
  state.look_rounds.fetch_add(1, std::memory_order_relaxed);
  if (round_began != 0) state.look_time.fetch_add(now - round_began, std::memory_order_relaxed);
  round_began = now;
}

}  // namespace

void begin_waits(const Slot& slot, int64_t begin, int64_t cpu) {
  Wait& wait = wait_of(slot);
  wait = {};
  wait.looked = wait.due = begin;
  wait.cpu = cpu;
  // 0 for a new thread. Otherwise the previous delay does not belong to this sampling, and is read at the first look.
  wait.run_delay = cpu < kOfNewThread ? 0 : -1;
  // A random phase, as for the CPU time: the sum over all threads is right.
  wait.untold = random_below(state.period_ns);
}

void end_waits(Slot& slot) {
  Wait& wait = wait_of(slot);
  const int64_t waited = slot.waited_at_stop.load();
  if (waited >= 0) wait.untold += waited - (wait.looked - wait.cpu);
  if (wait.waits && !slot.busy.exchange(true)) {
    tell(slot, wait, wait.untold);
    slot.busy.store(false);
  }
  // If waits are only added to samples, those of threads that ended between two looks are not counted as lost.
  if (state.mode == ORIEL_SAMPLE_REAL && wait.untold >= state.period_ns && !slot.excluded.load())
    count_lost(ORIEL_LOST_THREAD_ENDED, static_cast<uint64_t>(wait.untold / state.period_ns));
  wait = {};
}

int64_t look_at_waits() {
  const int64_t begin = read_clock_ns(CLOCK_MONOTONIC);
  const int64_t cpu_before = own_cpu();
  const uint32_t used = state.slots_used.load(std::memory_order_relaxed);
  int64_t cost = 0;
  for (uint32_t cheap = 0; cursor < used && cost < kMostOfLook; cursor++) {
    if (waits[cursor].due > begin || !is_looked_at(state.slots[cursor])) continue;
    if (look_at(state.slots[cursor], waits[cursor]) || ++cheap % 64 == 0) cost = own_cpu() - cpu_before;
  }
  if (cursor >= used) end_round(begin);
  const int64_t period = state.look_period_ns;
  // Jittered, so that a program with a period of a millisecond is not always sampled at the same point.
  pace.share = (state.mode == ORIEL_SAMPLE_REAL ? kLookShare : kSeldomLookShare) * kFullPace / state.pace;
  return pace.next_look(begin, own_cpu() - cpu_before, period * 3 / 4 + random_below(period / 2));
}

void finish_waits() {
  const int64_t until = read_clock_ns(CLOCK_MONOTONIC) + kMostOfFinish;
  const uint32_t used = state.slots_used.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < used && read_clock_ns(CLOCK_MONOTONIC) < until; i++) {
    if (is_looked_at(state.slots[i])) look_at(state.slots[i], waits[i]);
  }
  cursor = 0;
  round_began = 0;
  pace = {};
}

}  // namespace oriel::sampling
