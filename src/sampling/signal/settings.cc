// The room's interface except the handler's accessors: settings, announcements, the signal.
#include <pthread.h>

#include <algorithm>
#include <csignal>

#include "sampling/cfi/frame_tables.h"
#include "sampling/sampling.h"
#include "sampling/signal/handler.h"
#include "sampling/signal/manager.h"
#include "sampling/signal/slots.h"
#include "sampling/signal/state.h"
#include "sampling/walk/stack_walk.h"

namespace oriel::sampling {
namespace {

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_signal;
}

bool is_free(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

// Other handlers wait until this one is done, as it may be on a small stack; faults cannot wait.
void block_all_but_faults(struct sigaction& action) {
  sigfillset(&action.sa_mask);
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP}) sigdelset(&action.sa_mask, fault);
}

// Neither handler runs on an alternate stack: a runtime's fault handler may have left that stack while its frames are
// still there, and a signal would overwrite them.
bool share_signal_of_program() {
  struct sigaction before {};
  if (state.signal_to_share == 0 || sigaction(state.signal_to_share, nullptr, &before) != 0) return false;
  if ((before.sa_flags & SA_SIGINFO) == 0 && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN))
    return false;
  struct sigaction ours = before;
  ours.sa_sigaction = on_signal;
  ours.sa_flags = (before.sa_flags | SA_SIGINFO | SA_RESTART) & ~(SA_ONSTACK | SA_NODEFER);
  block_all_but_faults(ours);
  state.shared = before;
  if (sigaction(state.signal_to_share, &ours, nullptr) != 0) return false;
  state.signal = state.signal_to_share;
  return true;
}

// Uses a free real-time signal. The first few are left to runtimes, which take SIGRTMIN, some of them only later.
Error install_handler() {
  struct sigaction action {};
  if (state.signal != 0 && sigaction(state.signal, nullptr, &action) == 0 && is_ours(action)) return nullptr;
  if (share_signal_of_program()) return nullptr;
  for (int signal = SIGRTMIN + 4; signal <= SIGRTMAX; signal++) {
    if (sigaction(signal, nullptr, &action) != 0 || !is_free(action)) continue;
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    block_all_but_faults(ours);
    if (sigaction(signal, &ours, nullptr) != 0) continue;
    state.signal = signal;
    return nullptr;
  }
  return "no real-time signal is free for sampling: the program has handlers on all of them";
}

// A forked child has no timers and no manager; the slots describe the parent's threads.
void after_fork_in_child() {
  state.enabled.store(false);
  forget_manager();
  const uint32_t used = state.slots_used.load();
  for (uint32_t i = 0; i < used; i++) {
    Slot& slot = state.slots[i];
    slot.has_timer.store(false);
    slot.busy.store(false);
    slot.tid.store(0);
  }
}

Error prepare() {
  static bool prepared = false;
  if (prepared) return nullptr;
  if (!state.slots.map(0)) return "no memory for sampling: raise the limit on address space (ulimit -v)";
  if (pthread_atfork(nullptr, nullptr, after_fork_in_child) != 0) return "no memory for sampling";
  prepared = true;
  return nullptr;
}

// Flags the slots of one thread. If the manager is just giving it one, it checks exclusions after that.
template <typename Flag>
void flag_slots(uint32_t os_id, Flag flag) {
  const uint32_t used = state.slots_used.load();
  for (uint32_t i = 0; i < used; i++) {
    if (state.slots[i].tid.load() == os_id) flag(state.slots[i]);
  }
}

}  // namespace

void share_signal(int signal) { state.signal_to_share = signal; }

Error configure(oriel_sample_mode mode, uint32_t hz, SampleHandler handler) {
  if (mode != ORIEL_SAMPLE_NONE && (hz == 0 || hz > ORIEL_MAX_SAMPLE_HZ))
    return "a sampling rate must be 1 to 10,000 a second";
  if (mode != ORIEL_SAMPLE_NONE && handler == nullptr) return "sampling needs a handler";
  stop_manager();
  if (!wait_for_handlers()) return "a sample's handler does not end: sampling stays off";
  state.mode = mode;
  if (mode == ORIEL_SAMPLE_NONE) return nullptr;
  if (const Error error = prepare()) return error;
  if (const Error error = install_handler()) return error;
  state.period_ns = 1'000'000'000 / hz;
  state.handler = handler;
  return start_manager();
}

void set_pace(uint32_t per_mille) {
  state.wanted_pace.store(std::min(std::max(per_mille, 1u), kFullPace));
  wake_manager();
}

void refresh_frame_tables() {
  copy_frame_tables([] { return wait_for_handlers() && wait_for_own_walks(); });
}

void thread_started(uint32_t os_id) {
  if (!state.enabled.load()) return;
  flag_slots(os_id, [](Slot& slot) {
    slot.stopped.store(false);
    slot.waited_at_stop.store(-1);
  });
  wake_manager();
}

void thread_stopped(uint32_t os_id) {
  if (!state.enabled.load()) return;
  flag_slots(os_id, [os_id](Slot& slot) {
    const int64_t cpu = read_clock_ns(cpu_clock_of(os_id));
    slot.stopped.store(true);
    slot.waited_at_stop.store(read_clock_ns(CLOCK_MONOTONIC) - cpu);
    count_unsampled(slot, cpu);
  });
}

void exclude_thread(uint32_t os_id) {
  exclude(os_id);
  flag_slots(os_id, [](Slot& slot) { slot.excluded.store(true); });
}

void shut_down() {
  stop_manager();
  wait_for_handlers();
}

}  // namespace oriel::sampling
