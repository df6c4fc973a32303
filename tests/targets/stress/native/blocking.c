#include "blocking.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const struct blocking_call* const tables[] = {
    sleeping_calls, polling_calls, socket_calls, signal_calls, ipc_calls, lock_calls, file_calls,
};

long monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

struct timespec span(int milliseconds) {
  return (struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000L};
}

static struct timespec clock_in(clockid_t clock, int milliseconds) {
  struct timespec end;
  clock_gettime(clock, &end);
  end.tv_nsec += milliseconds % 1000 * 1000000L;
  end.tv_sec += milliseconds / 1000 + end.tv_nsec / 1000000000;
  end.tv_nsec %= 1000000000;
  return end;
}

struct timespec wall_clock_in(int milliseconds) {
  return clock_in(CLOCK_REALTIME, milliseconds);
}

void begin(struct outcome* outcome) {
  outcome->start = monotonic_nanoseconds();
  errno = 0;
}

void finish(struct outcome* outcome, long returned) {
  outcome->error = returned == -1 ? errno : 0;
  outcome->nanoseconds = monotonic_nanoseconds() - outcome->start;
  outcome->returned = returned;
}

struct later {
  pthread_t thread;
  int milliseconds;
  void (*act)(void*);
  void* on;
};

static void* wait_and_act(void* argument) {
  struct later* later = argument;
  const struct timespec end = clock_in(CLOCK_MONOTONIC, later->milliseconds);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) {
  }
  later->act(later->on);
  return NULL;
}

struct later* after(int milliseconds, void (*act)(void*), void* on) {
  struct later* later = malloc(sizeof *later);
  *later = (struct later){.milliseconds = milliseconds, .act = act, .on = on};
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_create(&later->thread, NULL, wait_and_act, later);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return later;
}

void done(struct later* later) {
  pthread_join(later->thread, NULL);
  free(later);
}

static const struct blocking_call* find_call(int number) {
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    for (const struct blocking_call* call = tables[i]; call->name != NULL; call++) {
      if (number-- == 0) return call;
    }
  }
  return NULL;
}

int stress_blocking_count(void) {
  int count = 0;
  while (find_call(count) != NULL) count++;
  return count;
}

const char* stress_blocking_name(int number) { return find_call(number)->name; }

const char* stress_error_name(int error) { return error == 0 ? "no error" : strerrorname_np(error); }

void stress_blocking_run(int number, int milliseconds, struct outcome* outcome) {
  *outcome = (struct outcome){.milliseconds = milliseconds};
  find_call(number)->run(outcome, milliseconds);
}

struct foreign_call {
  pthread_t thread;
  int number, milliseconds;
  struct outcome* outcome;
};

static void* run_foreign(void* argument) {
  struct foreign_call* call = argument;
  stress_blocking_run(call->number, call->milliseconds, call->outcome);
  return NULL;
}

void stress_blocking_foreign(int milliseconds, struct outcome* outcomes) {
  const int count = stress_blocking_count();
  struct foreign_call* calls = calloc(count, sizeof *calls);
  for (int i = 0; i < count; i++) {
    calls[i] = (struct foreign_call){.number = i, .milliseconds = milliseconds, .outcome = &outcomes[i]};
    pthread_create(&calls[i].thread, NULL, run_foreign, &calls[i]);
  }
  for (int i = 0; i < count; i++) pthread_join(calls[i].thread, NULL);
  free(calls);
}
