// Sampling: who is signalled when, where threads wait, and the walk of their stacks. Nothing here knows a runtime.
//
// Fenced: no exceptions, no RTTI, no lazy statics; the handler neither allocates nor locks. tests/fence checks it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "oriel/oriel.h"

namespace oriel::sampling {

// One sample while its handler runs. The walk is made on first demand and kept for the other listeners.
struct Sample;

// Runs in the signal handler, on the sampled thread; of a thread that waits on the manager's thread, while that one may
// wake up. Never twice at once for one slot.
using SampleHandler = void (*)(const Sample& sample);

// Errors of this room: static sentences, nullptr for none (nothing here allocates).
using Error = const char*;

// Says that the program has a handler for this signal, and that samples are to come by it too: a runtime masks its own
// signal wherever a nested handler would do harm, as on the alternate stack of its fault handler. That handler goes on
// getting every signal that is not ours. Without one on the signal, a free real-time signal is used. Before configure.
void share_signal(int signal);

// Sets mode and rate; starts or stops the manager thread, timers and handler as needed. In each mode only a thread that
// runs is ever signalled: those that wait are looked at from outside. Not async-safe; one caller at a time. `handler`
// must stay callable for the process's life.
Error configure(oriel_sample_mode mode, uint32_t hz, SampleHandler handler);

// Copies the call-frame information of the loaded libraries for walks, if any were loaded or unloaded since the last
// call. Sampling does so on its own; walks of a thread's own stack need it too. Waits, 200 ms at most, for walks that
// use the copies before. Any thread, but not in a handler; a second one that calls it meanwhile does nothing.
void refresh_frame_tables();

// A thread to be sampled from now on. Threads nobody announced are found within 50 ms. Any thread.
void thread_started(uint32_t os_id);
// It ends: its timer goes. Any thread.
void thread_stopped(uint32_t os_id);
// A profiler's own thread: never sampled. Any thread.
void exclude_thread(uint32_t os_id);

// Async-safe, only in a SampleHandler.
uintptr_t sample_ip(const Sample& sample);
uint64_t sample_time(const Sample& sample);  // clock_counter()
uint32_t sample_slot(const Sample& sample);  // below ORIEL_MAX_SAMPLED_THREADS, its own until it ends
uint32_t sample_os_thread(const Sample& sample);
uint32_t sample_periods(const Sample& sample);
bool sample_in_page_fault(const Sample& sample);  // false of a thread that waits
bool sample_is_of_caller(const Sample& sample);   // it is not of a thread that waits
size_t sample_stack(const Sample& sample, uintptr_t* frames, size_t max, bool* truncated);

// By oriel_lost_reason. Async-safe.
void lost(uint64_t counts[ORIEL_LOST_REASONS]);

// How often all waiting threads that were due have been looked at, and in how much time. Async-safe.
struct Looks {
  uint64_t rounds = 0;
  uint64_t ns = 0;
};
Looks looks();

// For how long sampled threads were ready to run and had no processor, as far as looks have seen. Async-safe.
uint64_t ready_ns();

// Stops signals for good and waits until no handler runs (at most 100 ms). For the process's end.
void shut_down();

}  // namespace oriel::sampling
