// Sampling: signals to running threads, inspection of waiting ones, and walks of their stacks. Nothing here knows a
// runtime.
//
// Fenced: no exceptions, no RTTI, no lazy statics; the handler neither allocates nor locks. tests/fence checks it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "oriel/oriel.h"

namespace oriel::sampling {

// One sample while its handler runs: of a running thread, which is the calling one, or of one that waits.
struct Sample {
  uintptr_t ip;
  uint64_t time;  // clock_counter()
  uint32_t slot;  // below ORIEL_MAX_SAMPLED_THREADS, unique until the thread ends
  uint32_t os_thread;
  uint32_t periods;
  bool in_page_fault;  // false for a waiting thread
  bool waits;
};

// For a running thread, called in its signal handler; for a waiting thread, on the manager's thread, while the thread
// may wake up. Never concurrently for one slot.
using SampleHandler = void (*)(const Sample& sample);

// Errors of this room: static strings, nullptr for none (nothing here allocates).
using Error = const char*;

// Samples shall use this signal too, for which the program has a handler: a runtime masks its own signal wherever a
// nested handler would do harm, for instance on the alternate stack of its fault handler. Signals that are not Oriel's
// still reach that handler. If the signal has no handler, a free real-time signal is used. Call before configure.
void share_signal(int signal);

// Sets mode and rate; starts or stops the manager thread, timers and handler as needed. In every mode only running
// threads are signalled; waiting ones are inspected from outside. Not async-safe; one caller at a time. `handler` must
// stay callable for the process's life.
Error configure(oriel_sample_mode mode, uint32_t hz, SampleHandler handler);

// Takes samples less often from now on: at `per_mille` (1 to 1,000) of the rate. Each stands for more periods, so that
// what they add up to stays. Waiting threads are inspected, and new threads looked for, less often too. Stays through
// configure. Any thread; async-safe.
void set_pace(uint32_t per_mille);

// The CPU time that samples took on the sampled threads so far, with the system's part of their signals as measured
// when sampling began: nanoseconds. Async-safe.
uint64_t time_in_samples();

// Copies the call-frame information of the loaded libraries for walks, if any were loaded or unloaded since the last
// call. Sampling calls it itself; walks of a thread's own stack need it too. Waits up to 200 ms for walks that use the
// previous copies. Any thread, but not in a handler; a concurrent call does nothing.
void refresh_frame_tables();

// Starts sampling a thread. Threads that nobody announced are found within 50 ms. Any thread.
void thread_started(uint32_t os_id);
// The thread ends: its timer is deleted. Any thread.
void thread_stopped(uint32_t os_id);
// Marks a profiler's own thread: it is never sampled. Any thread.
void exclude_thread(uint32_t os_id);

// Writes the sample's stack to `frames`, innermost first, and returns how many frames. The stack is walked on first
// demand, and the result kept for further listeners. Async-safe, only in a SampleHandler and with its sample.
size_t sample_stack(const Sample& sample, uintptr_t* frames, size_t max, bool* truncated);

// By oriel_lost_reason. Async-safe.
void lost(uint64_t counts[ORIEL_LOST_REASONS]);

// The rounds over all waiting threads that were due, and their total time. Async-safe.
struct Looks {
  uint64_t rounds = 0;
  uint64_t ns = 0;
};
Looks looks();

// How long sampled threads were runnable without a processor, as far as looks have seen. Async-safe.
uint64_t ready_ns();

// Stops signals for good and waits until no handler runs (up to 100 ms). For the process's end.
void shut_down();

}  // namespace oriel::sampling
