// State shared by the handler and the manager: one slot for each sampled thread, and the present settings.
//
// The manager (manager.cc) owns slots and timers; the handler (handler.cc) finds its slot in the signal itself. Slots
// are never unmapped, so a late signal can always read the slot that it names.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ctime>

#include "sampling/sampling.h"
#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {

inline constexpr size_t kHandlerStackSize = 16384;
inline constexpr uint32_t kFullPace = 1000;  // per mille of the rate

// A thread's resource usage so far.
struct Usage {
  int64_t user_us = 0;
  int64_t system_us = 0;
  int64_t page_faults = 0;
};

// The manager writes the bounds.
struct alignas(kPageSize) Slot : Walker {
  // The handlers' stack. Only one uses it at a time: all signals except faults are blocked.
  alignas(kPageSize) uint8_t guard[kPageSize];
  uint8_t stack[kHandlerStackSize];

  // Written by the manager while no timer of the slot is armed.
  std::atomic<uint32_t> tid{0};  // 0: free
  uint32_t number = 0;
  std::atomic<bool> excluded{false};
  std::atomic<bool> stopped{false};
  // By the clocks, elapsed time minus CPU time when the thread was reported as stopped; -1: it was not.
  std::atomic<int64_t> waited_at_stop{-1};
  std::atomic<bool> blocks_signal{false};
  std::atomic<bool> has_timer{false};  // false for a used slot: the system provided none

  // A sample of the thread is being taken: by its handler, or by the manager while the thread waits.
  std::atomic<bool> busy{false};

  // Written by the handler.
  std::atomic<uintptr_t> thread_pointer{0};  // 0 until its first signal
  // CPU time in ns that samples stand for so far. The manager initializes it, and sets it back by the time that the
  // thread waited for a processor.
  std::atomic<int64_t> accounted{0};
  Usage used;  // by its last sample
  // Of all threads that had the slot.
  std::atomic<uint64_t> signals{0};
  std::atomic<int64_t> sample_ns{0};  // CPU time in the handler

  // Guarded by `busy`.
  bool has_wait_stack = false;  // `frames` are those of a wait found by the manager
  bool wait_stack_truncated = false;
  uint32_t wait_stack_depth = 0;

  // The manager's own.
  timer_t timer{};
  uint8_t bounds_tries = 0;
  uint16_t stopped_scans = 0;
  uint64_t seen_in_scan = 0;
  int64_t cpu_at_scan = 0;
};

// The slots by number. They are mapped in groups on first use: the program may have little address space (ulimit -v).
class Slots {
 public:
  // The slot must be mapped.
  Slot& operator[](size_t number) const {
    return groups_[number / kGroup].load(std::memory_order_acquire)[number % kGroup];
  }
  // The slot at an arbitrary address; nullptr if there is none. Async-safe.
  Slot* find(uintptr_t address) const;
  // Maps those up to `number`, if all below are mapped; false without memory. For the manager.
  bool map(uint32_t number);

 private:
  static constexpr size_t kGroup = 32;
  std::atomic<Slot*> groups_[ORIEL_MAX_SAMPLED_THREADS / kGroup];
};

inline Slot* Slots::find(uintptr_t address) const {
  for (const auto& entry : groups_) {
    Slot* const group = entry.load(std::memory_order_acquire);
    if (!group) return nullptr;
    const uintptr_t offset = address - reinterpret_cast<uintptr_t>(group);
    if (offset < kGroup * sizeof(Slot)) return offset % sizeof(Slot) == 0 ? group + offset / sizeof(Slot) : nullptr;
  }
  return nullptr;
}

struct State {
  std::atomic<bool> enabled{false};
  // Set while not enabled and no handler runs; atomic because a signal may still come late.
  std::atomic<oriel_sample_mode> mode{ORIEL_SAMPLE_NONE};
  std::atomic<int64_t> period_ns{0};    // the unit in which samples count
  std::atomic<int64_t> interval_ns{0};  // between a thread's samples: the period, or longer at a lower pace
  // The manager's own, as `pace` was when it looked last.
  int64_t look_period_ns = 0;  // for waiting threads; 0: not sampled
  uint32_t pace = kFullPace;   // per mille
  std::atomic<SampleHandler> handler{nullptr};
  int signal = 0;
  int signal_to_share = 0;     // 0: none
  struct sigaction shared {};  // the signal's previous action, which gets signals that are not Oriel's
  Slots slots;
  std::atomic<uint32_t> slots_used{0};  // slots at and above it were never used
  std::atomic<uint64_t> lost[ORIEL_LOST_REASONS];
  std::atomic<uint64_t> look_rounds{0};  // see looks()
  std::atomic<int64_t> look_time{0};
  std::atomic<int64_t> ready_time{0};  // see ready_ns()
  std::atomic<uint32_t> wanted_pace{kFullPace};
  std::atomic<int64_t> signal_ns{0};  // what the system takes for a signal
};

extern State state;

inline void count_lost(oriel_lost_reason reason, uint64_t count = 1) {
  state.lost[reason].fetch_add(count, std::memory_order_relaxed);
}

// Nanoseconds on a clock, or -1 if there is none (a thread's clock: it ended). Async-safe.
inline int64_t read_clock_ns(clockid_t clock) {
  timespec now{};
  if (clock_gettime(clock, &now) != 0) return -1;
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace oriel::sampling
