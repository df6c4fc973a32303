// Futexes, what pthreads build on them, and locks of files.
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "blocking.h"

static void run_futex(struct outcome* outcome, int milliseconds) {
  int word = 0;
  const struct timespec time = span(milliseconds);
  begin(outcome);
  finish(outcome, syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0));
}

static void run_cond_timedwait(struct outcome* outcome, int milliseconds) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  const struct timespec end = wall_clock_in(milliseconds);
  pthread_mutex_lock(&mutex);
  begin(outcome);
  finish(outcome, pthread_cond_timedwait(&condition, &mutex, &end));
  pthread_mutex_unlock(&mutex);
}

static void run_mutex_timedlock(struct outcome* outcome, int milliseconds) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const struct timespec end = wall_clock_in(milliseconds);
  pthread_mutex_lock(&mutex);
  begin(outcome);
  finish(outcome, pthread_mutex_timedlock(&mutex, &end));
  pthread_mutex_unlock(&mutex);
}

static void unlock(void* descriptor) { flock(*(int*)descriptor, LOCK_UN); }

// Two open files of one name, the first of which holds the lock.
static void run_flock(struct outcome* outcome, int milliseconds) {
  int holder = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", holder);
  const int waiter = open(name, O_RDWR | O_CLOEXEC);
  flock(holder, LOCK_EX);
  begin(outcome);
  struct later* unlocker = after(milliseconds, unlock, &holder);
  finish(outcome, flock(waiter, LOCK_EX));
  done(unlocker);
  close(waiter);
  close(holder);
}

const struct blocking_call lock_calls[] = {
    {"futex", run_futex},
    {"pthread_cond_timedwait", run_cond_timedwait},
    {"pthread_mutex_timedlock", run_mutex_timedlock},
    {"flock", run_flock},
    {NULL, NULL},
};
