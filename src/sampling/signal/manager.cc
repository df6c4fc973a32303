#include "sampling/signal/manager.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>

#include "base/files/own_files.h"
#include "base/process/own_thread.h"
#include "base/process/thread_id.h"
#include "sampling/sampling.h"
#include "sampling/signal/look_pace.h"
#include "sampling/signal/proc.h"
#include "sampling/signal/slots.h"
#include "sampling/signal/state.h"
#include "sampling/signal/waits.h"

namespace oriel::sampling {
namespace {

constexpr int64_t kScanInterval = 50'000'000;
constexpr int64_t kMinScanInterval = 1'000'000;
// A thread reported as stopped that still lives after so many scans has only left the runtime.
constexpr uint16_t kStoppedScans = 40;
// Scans may take 1/N of a processor's time.
constexpr int64_t kScanShare = 100;
// A thread whose samples are overdue by this much may have blocked their signal.
constexpr int64_t kOverdue = 100'000'000;

constexpr int64_t kSlowestScans = 500'000'000;
// A process that used less than 1/N of a sample's CPU time since the last scan has done nothing worth the next one.
constexpr int64_t kIdleShare = 2;

// A time at the present pace.
int64_t slowed(int64_t time) { return time * kFullPace / state.pace; }

struct Manager {
  pthread_t thread{};
  bool running = false;
  sem_t ready{};
  std::atomic<bool> stop{false};
  std::atomic<uint32_t> wakes{0};
  // The manager thread's own.
  uint32_t tid = 0;
  uint64_t scans = 0;
  int64_t scan_due = 0;
  int64_t soonest_scan = 0;  // however many threads start
  int64_t last_scan = 0;
  int64_t process_cpu = 0;     // at the last scan
  int64_t threads = 0;         // then
  bool is_scan_asked = false;  // a thread has begun, or something else that a scan must see
  int64_t look_due = 0;        // INT64_MAX: waiting threads are not sampled
};
constinit Manager manager;

// Slots by thread, rebuilt for each scan: open addressing, with twice as many places as slots.
constexpr uint32_t kPlaces = 2 * ORIEL_MAX_SAMPLED_THREADS;
uint16_t slot_by_thread[kPlaces];

uint32_t place_of(uint32_t tid) { return tid * 2654435761u % kPlaces; }

void index_slots() {
  std::memset(slot_by_thread, 0xff, sizeof(slot_by_thread));
  const uint32_t used = state.slots_used.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < used; i++) {
    const uint32_t tid = state.slots[i].tid.load(std::memory_order_relaxed);
    if (tid == 0) continue;
    uint32_t place = place_of(tid);
    while (slot_by_thread[place] != UINT16_MAX) place = (place + 1) % kPlaces;
    slot_by_thread[place] = static_cast<uint16_t>(i);
  }
}

Slot* find_slot(uint32_t tid) {
  for (uint32_t place = place_of(tid); slot_by_thread[place] != UINT16_MAX; place = (place + 1) % kPlaces) {
    Slot& slot = state.slots[slot_by_thread[place]];
    if (slot.tid.load(std::memory_order_relaxed) == tid) return &slot;
  }
  return nullptr;
}

// The reading of its CPU clock at which a thread's time starts to count: now for threads that existed when sampling
// began; for others, the last scan, which did not see them, so all their CPU time.
int64_t begin_of(uint32_t tid) {
  const int64_t cpu = read_clock_ns(cpu_clock_of(tid));
  if (manager.scans == 1 || cpu < 0) return cpu;
  const int64_t uncounted = uncounted_since(tid, cpu);
  if (uncounted >= 0) return uncounted;
  const int64_t since_scan = read_clock_ns(CLOCK_MONOTONIC) - manager.last_scan;
  return cpu < since_scan ? 0 : cpu - since_scan;
}

// When a thread that was just found started to count: on average in the middle of the time since the last scan.
int64_t start_of(uint32_t tid, int64_t cpu_at_begin) {
  const int64_t now = read_clock_ns(CLOCK_MONOTONIC);
  if (manager.scans == 1) return now;
  const int64_t used = read_clock_ns(cpu_clock_of(tid)) - cpu_at_begin;
  return now - std::max((now - manager.last_scan) / 2, used);
}

void close(Slot& slot) {
  if (state.look_period_ns != 0) end_waits(slot);
  close_slot(slot);
}

// Asks the system only about threads whose samples do not come.
void look_for_blocked_signal(Slot& slot) {
  const bool overdue = slot.cpu_at_scan - slot.accounted.load() > kOverdue + state.interval_ns;
  if (overdue) slot.blocks_signal.store(has_blocked(slot.tid.load(std::memory_order_relaxed), state.signal));
}

void look_at(uint32_t tid) {
  if (tid == manager.tid) return;
  Slot* slot = find_slot(tid);
  if (slot) {
    // Its CPU time went back: another thread has the id now, and the timers belong to the dead one.
    const int64_t cpu = read_clock_ns(cpu_clock_of(tid));
    if (cpu >= 0 && cpu < slot->cpu_at_scan) {
      close(*slot);
      slot = nullptr;
    } else {
      slot->cpu_at_scan = cpu;
      slot->seen_in_scan = manager.scans;
      if (!slot->has_timer.load()) go_without_timer(*slot);
      look_for_blocked_signal(*slot);
      if (slot->stopped.load() && ++slot->stopped_scans >= kStoppedScans) {
        slot->stopped.store(false);
        slot->waited_at_stop.store(-1);
      }
      return;
    }
  }
  const int64_t begin = begin_of(tid);
  if (begin < 0) return;
  slot = open_slot(tid, begin);
  if (!slot) return;
  slot->seen_in_scan = manager.scans;
  if (state.look_period_ns != 0) begin_waits(*slot, start_of(tid, begin), begin);
}

void close_ended_slots() {
  const uint32_t used = state.slots_used.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < used; i++) {
    Slot& slot = state.slots[i];
    const uint32_t tid = slot.tid.load(std::memory_order_relaxed);
    // The list may miss a thread while others end, so check it by id.
    if (tid != 0 && slot.seen_in_scan != manager.scans && !is_alive(tid)) close(slot);
  }
}

// In a process that does next to nothing, a look at every thread would be most of what sampling costs.
bool is_worth_a_scan(int64_t now) {
  if (manager.is_scan_asked || now - manager.last_scan >= kSlowestScans) return true;
  const int64_t used = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - manager.process_cpu;
  return used >= state.interval_ns / kIdleShare || count_threads() != manager.threads;
}

void scan(int64_t now) {
  if (!is_worth_a_scan(now)) {
    manager.scan_due = now + slowed(kScanInterval);
    return;
  }
  manager.is_scan_asked = false;
  const int64_t cpu_before = read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  manager.scans++;
  manager.process_cpu = read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  manager.threads = count_threads();
  {
    TaskList tasks;
    if (!tasks.is_open()) return;
    index_slots();
    while (const uint32_t tid = tasks.next()) look_at(tid);
  }
  end_scan_of_slotless();
  close_ended_slots();
  forget_excluded_except(is_alive);
  find_stack_bounds();
  refresh_frame_tables();
  manager.last_scan = now;
  const int64_t pause = slowed((read_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_before) * kScanShare);
  manager.soonest_scan = now + std::max(kMinScanInterval, pause);
  manager.scan_due = now + std::max(std::min(slowed(kScanInterval), kSlowestScans), pause);
}

// If waits are only added to samples of running threads, looks are less frequent than samples.
int64_t look_period() {
  if (state.mode == ORIEL_SAMPLE_PROCESS_AND_WAITS) return slowed(std::max(state.period_ns.load(), kSeldomLooks));
  return state.mode == ORIEL_SAMPLE_REAL ? slowed(state.period_ns) : 0;
}

void adopt_pace() {
  state.pace = state.wanted_pace.load();
  state.interval_ns = slowed(state.period_ns);
  state.look_period_ns = look_period();
}

void follow_pace() {
  if (state.wanted_pace.load() == state.pace) return;
  adopt_pace();
  for (uint32_t i = 0; i < state.slots_used.load(); i++) {
    if (state.slots[i].tid.load() != 0) rearm_timer(state.slots[i]);
  }
}

void sleep_until(int64_t due, uint32_t seen_wakes) {
  const timespec until{due / 1'000'000'000, due % 1'000'000'000};
  syscall(SYS_futex, &manager.wakes, FUTEX_WAIT_BITSET_PRIVATE, seen_wakes, &until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

// Makes looks punctual even if all processors are busy. Most systems refuse; it never runs long.
void ask_for_real_time() {
  const sched_param lowest{sched_get_priority_min(SCHED_RR)};
  sched_setscheduler(0, SCHED_RR, &lowest);
}

// A signal to this thread that is no sample takes the same way through the system and into the handler, which sees that
// the slot is another thread's.
void measure_signal() {
  constexpr int kTimes = 64;
  siginfo_t info{};
  info.si_signo = state.signal;
  info.si_code = SI_TIMER;
  info.si_value.sival_ptr = &state.slots[0];
  sigset_t of_samples, before;
  sigemptyset(&of_samples);
  sigaddset(&of_samples, state.signal);
  pthread_sigmask(SIG_UNBLOCK, &of_samples, &before);
  const int64_t begin = read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < kTimes; i++) syscall(SYS_rt_tgsigqueueinfo, getpid(), manager.tid, state.signal, &info);
  const int64_t took = read_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  state.signal_ns.store(took / kTimes);
}

void* run(void*) {
  manager.tid = thread_id();
  unshare_descriptors();
  pthread_setname_np(pthread_self(), "oriel-sampling");
  prctl(PR_SET_TIMERSLACK, 1000ul);
  const int64_t start = read_clock_ns(CLOCK_MONOTONIC);
  refresh_frame_tables();
  adopt_pace();
  state.enabled.store(true);
  manager.is_scan_asked = true;
  scan(start);
  manager.look_due = state.look_period_ns != 0 ? start : INT64_MAX;
  if (state.mode == ORIEL_SAMPLE_REAL) ask_for_real_time();
  sem_post(&manager.ready);
  if (state.signal_ns.load() == 0) measure_signal();
  uint32_t seen_wakes = manager.wakes.load();
  while (!manager.stop.load()) {
    sleep_until(std::min(manager.scan_due, manager.look_due), seen_wakes);
    const int64_t now = read_clock_ns(CLOCK_MONOTONIC);
    const uint32_t wakes = manager.wakes.load();
    if (wakes != seen_wakes) {
      manager.scan_due = std::min(manager.scan_due, manager.soonest_scan);
      manager.is_scan_asked = true;
      seen_wakes = wakes;
    }
    follow_pace();
    if (now >= manager.look_due) manager.look_due = look_at_waits();
    if (now >= manager.scan_due) scan(now);
  }
  state.enabled.store(false);
  if (state.look_period_ns != 0) finish_waits();
  for (uint32_t i = 0; i < state.slots_used.load(); i++) {
    if (state.slots[i].tid.load() != 0) close(state.slots[i]);
  }
  return nullptr;
}

}  // namespace

Error start_manager() {
  manager.stop.store(false);
  manager.scans = 0;
  forget_slotless();
  sem_init(&manager.ready, 0, 0);
  const int failure = start_own_thread(manager.thread, run, nullptr);
  if (failure != 0) return "cannot start the sampling thread: raise the limit on threads (ulimit -u)";
  manager.running = true;
  while (sem_wait(&manager.ready) != 0) continue;
  return nullptr;
}

void stop_manager() {
  if (!manager.running) return;
  state.enabled.store(false);
  manager.stop.store(true);
  wake_manager();
  pthread_join(manager.thread, nullptr);
  manager.running = false;
}

void wake_manager() {
  manager.wakes.fetch_add(1);
  syscall(SYS_futex, &manager.wakes, FUTEX_WAKE_PRIVATE, INT_MAX);
}

void forget_manager() { manager.running = false; }

}  // namespace oriel::sampling
