// Signals of the program's own.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "compute.h"

enum { SIGNALS = 65 };
static atomic_int received[SIGNALS];
static atomic_long sums[SIGNALS];

static void count(int number, siginfo_t* information, void* context) {
  (void)context;
  atomic_fetch_add(&received[number], 1);
  if (information->si_code == SI_QUEUE) atomic_fetch_add(&sums[number], information->si_value.sival_int);
}

static int count_signal(int number) {
  struct sigaction action = {.sa_sigaction = count, .sa_flags = SA_SIGINFO | SA_RESTART};
  return sigaction(number, &action, NULL);
}

// Takes over the signals first…last, has this thread compute, sends each `times` times and computes on. How often each
// came, and whether its values came too, is in `told`.
void stress_signals_queued(int first, int last, int times, char* told, size_t size) {
  size_t length = 0;
  for (int number = first; number <= last; number++) count_signal(number);
  stress_compute(100);
  for (int i = 1; i <= times; i++) {
    for (int number = first; number <= last; number++) {
      sigqueue(getpid(), number, (union sigval){.sival_int = i});
      stress_compute(1);
    }
  }
  stress_compute(300);
  for (int number = first; number <= last && length < size; number++) {
    length += snprintf(told + length, size - length, "%d: %d, sum %ld\n", number - SIGRTMIN,
                       atomic_load(&received[number]), atomic_load(&sums[number]));
  }
}

// With all signals blocked, computes and asks what is pending, and what comes; returns how many signals that were.
int stress_signals_blocked(int milliseconds) {
  sigset_t all, before, pending;
  int seen = 0;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  stress_compute(milliseconds);
  sigpending(&pending);
  for (int number = 1; number < SIGNALS; number++) seen += sigismember(&pending, number) == 1;
  const struct timespec time = {0, milliseconds * 1000000L};
  while (sigtimedwait(&all, NULL, &time) > 0) seen++;
  seen += errno != EAGAIN;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return seen;
}

struct signal_waiter {
  int number, times, in_order;
};

static void* wait_for_signals(void* argument) {
  struct signal_waiter* waiter = argument;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, waiter->number);
  for (int i = 0; i < waiter->times; i++) {
    siginfo_t information;
    const int got = sigwaitinfo(&set, &information);
    waiter->in_order += got == waiter->number && information.si_value.sival_int == i;
    stress_compute(1);
  }
  return NULL;
}

// A thread that waits for a signal which is sent to it so often; returns how many came as they were sent.
int stress_signals_waited_for(int number, int times) {
  struct signal_waiter waiter = {number, times, 0};
  sigset_t set, before;
  pthread_t thread;
  sigfillset(&set);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  pthread_create(&thread, NULL, wait_for_signals, &waiter);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  for (int i = 0; i < times; i++) {
    pthread_sigqueue(thread, number, (union sigval){.sival_int = i});
    usleep(500);
  }
  pthread_join(thread, NULL);
  return waiter.in_order;
}

// The interval timer sends its signal until it has come so often; returns 1 if it did.
int stress_signals_interval(int which, int number, int times) {
  const struct itimerval every = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
  count_signal(number);
  setitimer(which, &every, NULL);
  while (atomic_load(&received[number]) < times) stress_compute(1);
  setitimer(which, &never, NULL);
  return atomic_load(&received[number]) >= times;
}

static void count_expiry(union sigval value) { atomic_fetch_add((atomic_int*)value.sival_ptr, 1); }

// A POSIX timer of 10 ms on the clock; by signal where the number is not 0, else on threads. Returns 1 if it expired so
// often, -errno if it could not be made.
int stress_signals_timer(int clock, int number, int times) {
  static atomic_int expired;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD};
  event.sigev_notify_function = count_expiry;
  event.sigev_value.sival_ptr = &expired;
  if (number != 0) {
    count_signal(number);
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = number;
  }
  timer_t timer;
  if (timer_create(clock, &event, &timer) != 0) return -errno;
  const struct itimerspec every = {{0, 10000000}, {0, 10000000}};
  timer_settime(timer, 0, &every, NULL);
  while ((number != 0 ? atomic_load(&received[number]) : atomic_load(&expired)) < times) stress_compute(1);
  timer_delete(timer);
  return 1;
}

enum { CANARY = 16384, ALTERNATE = 16384 };
static __thread volatile long alternate_stack_used;

static void compute_on_alternate_stack(int number) {
  char here;
  (void)number;
  alternate_stack_used = (long)&here;
  stress_compute(200);
}

struct alternate {
  int on_it, changed, still_set;
};

static void* use_alternate_stack(void* argument) {
  struct alternate* result = argument;
  unsigned char* memory = mmap(NULL, CANARY + ALTERNATE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(memory, 0xa5, CANARY);
  const stack_t stack = {.ss_sp = memory + CANARY, .ss_size = ALTERNATE};
  const struct sigaction action = {.sa_handler = compute_on_alternate_stack, .sa_flags = SA_ONSTACK};
  sigaltstack(&stack, NULL);
  sigaction(SIGUSR2, &action, NULL);
  stress_compute(50);
  pthread_kill(pthread_self(), SIGUSR2);
  const long used = alternate_stack_used - (long)stack.ss_sp;
  result->on_it = used > 0 && used < ALTERNATE;
  for (int i = 0; i < CANARY; i++) result->changed += memory[i] != 0xa5;
  stack_t now;
  sigaltstack(NULL, &now);
  result->still_set = now.ss_sp == stack.ss_sp && now.ss_size == stack.ss_size && now.ss_flags == 0;
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  munmap(memory, CANARY + ALTERNATE);
  return NULL;
}

// A thread that handles a signal on a stack of 16 KB: 1 if it was handled there, nothing below the stack was written,
// and it stayed the thread's.
int stress_signals_alternate_stack(void) {
  struct alternate result = {0, 0, 0};
  pthread_t thread;
  pthread_create(&thread, NULL, use_alternate_stack, &result);
  pthread_join(thread, NULL);
  return result.on_it && result.changed == 0 && result.still_set;
}

int stress_signals_realtime_minimum(void) { return SIGRTMIN; }
int stress_signals_realtime_maximum(void) { return SIGRTMAX; }
