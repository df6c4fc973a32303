#include "sampling/signal/handler.h"

#include <pthread.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process/kept_errno.h"
#include "base/process/thread_id.h"
#include "sampling/signal/state.h"
#include "sampling/walk/registers.h"
#include "sampling/walk/stack_walk.h"

namespace oriel::sampling {

constinit State state;

namespace {

// The slot that a signal names. Validates the value, which a foreign sender may have written: nullptr if it is no slot.
Slot* slot_of(const siginfo_t& info) {
  if (info.si_code != SI_TIMER) return nullptr;
  return state.slots.find(reinterpret_cast<uintptr_t>(info.si_value.sival_ptr));
}

// Whether the slot belongs to the calling thread. Asks the system once a thread, then compares its thread pointer.
bool belongs_to_caller(Slot& slot) {
  const uintptr_t self = thread_pointer();
  if (slot.thread_pointer.load(std::memory_order_relaxed) == self) return true;
  if (slot.tid.load(std::memory_order_acquire) != thread_id()) return false;
  slot.thread_pointer.store(self, std::memory_order_release);
  return true;
}

// The number of periods that ended since the last sample. The rest of a period carries over, so that the periods of all
// samples add up to the time used, however late the signals come.
uint32_t take_periods(Slot& slot, int64_t now) {
  const int64_t before = slot.accounted.load(std::memory_order_relaxed);
  const int64_t periods = (now - before) / state.period_ns;
  if (periods <= 0) return 0;
  slot.accounted.fetch_add(periods * state.period_ns, std::memory_order_relaxed);
  return periods > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(periods);
}

int64_t microseconds(const timeval& time) { return int64_t{time.tv_sec} * 1'000'000 + time.tv_usec; }

// Whether most of the time since the last sample passed in the kernel, for an instruction that caused a page fault. The
// kernel charges a whole tick to where it interrupts the thread, and timers expire in a tick.
bool is_in_page_fault(Slot& slot) {
  rusage usage{};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return false;
  const Usage before = slot.used;
  slot.used = {microseconds(usage.ru_utime), microseconds(usage.ru_stime), int64_t{usage.ru_minflt} + usage.ru_majflt};
  return slot.used.system_us - before.system_us > slot.used.user_us - before.user_us &&
         slot.used.page_faults > before.page_faults;
}

// Blocks exactly the signals that the program's own handler would block.
void mask_as_shared(int signal, const void* context) {
  sigset_t mask = static_cast<const ucontext_t*>(context)->uc_sigmask;
  sigorset(&mask, &mask, &state.shared.sa_mask);
  if ((state.shared.sa_flags & SA_NODEFER) == 0) sigaddset(&mask, signal);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

// Passes a signal that is not Oriel's to the previous handler.
void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction& shared = state.shared;
  mask_as_shared(signal, context);
  if ((shared.sa_flags & SA_SIGINFO) != 0) {
    shared.sa_sigaction(signal, info, context);
  } else if (shared.sa_handler != SIG_DFL && shared.sa_handler != SIG_IGN) {
    shared.sa_handler(signal);
  }
}

void report_sample(Slot& slot, const void* context, int64_t cpu) {
  const uint64_t time = clock_counter();
  const uint32_t periods = take_periods(slot, cpu);
  if (periods == 0) return;
  if (slot.excluded.load(std::memory_order_relaxed) || slot.stopped.load(std::memory_order_relaxed)) return;
  const uint32_t os_thread = slot.tid.load(std::memory_order_relaxed);
  const uintptr_t ip = interrupted_registers(context).ip;
  const SampleInSlot sample{
      {ip, time, slot.number, os_thread, periods, is_in_page_fault(slot), false}, slot, context, false, false, 0};
  state.handler.load(std::memory_order_relaxed)(sample);
}

// Only the handler that holds `busy` writes the slot's counts.
template <typename Number>
void add_to(std::atomic<Number>& count, Number more) {
  count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

void take_sample(Slot& slot, const void* context) {
  const int64_t begin = read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  report_sample(slot, context, begin);
  add_to(slot.signals, uint64_t{1});
  add_to(slot.sample_ns, read_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin);
}

struct Interrupted {
  Slot& slot;
  const void* context;
};

// The thread may have little of its own stack left. (ThreadSanitizer would report data on a stack that threads use in
// turn as shared.)
void take_sample_on_own_stack(Slot& slot, const void* context) {
#if defined(__SANITIZE_THREAD__)
  return take_sample(slot, context);
#endif
  Interrupted interrupted{slot, context};
  const auto take = [](void* argument) {
    const auto& of = *static_cast<Interrupted*>(argument);
    take_sample(of.slot, of.context);
  };
  oriel_call_on_stack(slot.stack + sizeof(slot.stack), take, &interrupted);
}

}  // namespace

void on_signal(int signal, siginfo_t* info, void* context) {
  Slot* slot = slot_of(*info);
  if (!slot) return pass_on(signal, info, context);
  const KeptErrno kept;
  if (state.enabled.load() && belongs_to_caller(*slot)) {
    // If a sample of the thread is already being taken, because it had waited or is interrupted in a sample, the
    // periods carry over to the next signal.
    if (!slot->busy.exchange(true)) {
      // Checked again: disabling clears `enabled` before it looks at `busy`.
      if (state.enabled.load()) take_sample_on_own_stack(*slot, context);
      slot->busy.store(false);
    }
  }
}

size_t sample_stack(const Sample& of_thread, uintptr_t* frames, size_t max, bool* truncated) {
  const auto& sample = static_cast<const SampleInSlot&>(of_thread);
  if (!sample.walked) {
    sample.of.has_wait_stack = false;
    const Walk walk = walk_stack(sample.of, interrupted_registers(sample.context));
    sample.walked = true;
    sample.depth = walk.depth;
    sample.truncated = walk.end != WalkEnd::kThreadStart;
    if (walk.end == WalkEnd::kBroken) count_lost(ORIEL_LOST_STACK_BROKEN);
    if (walk.end == WalkEnd::kTooDeep) count_lost(ORIEL_LOST_STACK_DEEP);
  }
  const size_t count = sample.depth < max ? sample.depth : max;
  for (size_t i = 0; i < count; i++) frames[i] = sample.of.frames[i];
  if (truncated) *truncated = sample.truncated || count < sample.depth;
  return count;
}

void lost(uint64_t counts[ORIEL_LOST_REASONS]) {
  for (size_t i = 0; i < ORIEL_LOST_REASONS; i++) counts[i] = state.lost[i].load(std::memory_order_relaxed);
}

Looks looks() {
  return {state.look_rounds.load(std::memory_order_relaxed),
          static_cast<uint64_t>(state.look_time.load(std::memory_order_relaxed))};
}

uint64_t time_in_samples() {
  int64_t all = 0;
  const auto of_signal = static_cast<uint64_t>(state.signal_ns.load(std::memory_order_relaxed));
  const uint32_t used = state.slots_used.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < used; i++) {
    const Slot& slot = state.slots[i];
    all += slot.sample_ns.load(std::memory_order_relaxed) +
           static_cast<int64_t>(slot.signals.load(std::memory_order_relaxed) * of_signal);
  }
  return static_cast<uint64_t>(all);
}

uint64_t ready_ns() { return static_cast<uint64_t>(state.ready_time.load(std::memory_order_relaxed)); }

}  // namespace oriel::sampling
