// Calls that block, each for so many milliseconds: those that the kernel never starts again after a signal (signal(7)),
// those whose time limit a signal cuts short, and some that it does start again.
#pragma once

#include <time.h>

struct outcome {
  long returned;
  int error;          // errno where -1 was returned, otherwise 0
  long milliseconds;  // that it must take
  long start, nanoseconds;
};

struct blocking_call {
  const char* name;
  void (*run)(struct outcome* outcome, int milliseconds);
};

extern const struct blocking_call sleeping_calls[], polling_calls[], socket_calls[], signal_calls[], ipc_calls[],
    lock_calls[], file_calls[];  // each ends with a NULL name

// What a call returns and how long it takes is what lies between these two.
void begin(struct outcome* outcome);
void finish(struct outcome* outcome, long returned);

// Runs `act(on)` so many milliseconds from now on a thread that takes no signals; `done` waits for its end.
struct later;
struct later* after(int milliseconds, void (*act)(void*), void* on);
void done(struct later* later);

long monotonic_nanoseconds(void);
struct timespec span(int milliseconds);
// The time of CLOCK_REALTIME so long from now.
struct timespec wall_clock_in(int milliseconds);

// For C#. All calls have numbers from 0; a call may be made by any thread.
int stress_blocking_count(void);
const char* stress_blocking_name(int number);
const char* stress_error_name(int error);
void stress_blocking_run(int number, int milliseconds, struct outcome* outcome);
// All of them at once, each on a thread of its own that the runtime does not know.
void stress_blocking_foreign(int milliseconds, struct outcome* outcomes);
