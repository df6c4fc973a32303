// Pipes, timers as files, and children.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "blocking.h"

static void write_one(void* descriptor) {
  const ssize_t written = write(*(int*)descriptor, "x", 1);
  (void)written;
}

static void run_read_pipe(struct outcome* outcome, int milliseconds) {
  int ends[2];
  char data[4];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  begin(outcome);
  struct later* writer = after(milliseconds, write_one, &ends[1]);
  finish(outcome, read(ends[0], data, sizeof data));
  done(writer);
  close(ends[0]);
  close(ends[1]);
}

static void read_much(void* descriptor) {
  char data[65536];
  const ssize_t got = read(*(int*)descriptor, data, sizeof data);
  (void)got;
}

static void run_write_pipe(struct outcome* outcome, int milliseconds) {
  static const char page[65536];
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  const ssize_t filled = write(ends[1], page, sizeof page);
  begin(outcome);
  struct later* reader = after(milliseconds, read_much, &ends[0]);
  finish(outcome, filled == sizeof page ? write(ends[1], page, 4096) : -2);
  done(reader);
  close(ends[0]);
  close(ends[1]);
}

static void run_timerfd(struct outcome* outcome, int milliseconds) {
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  const struct itimerspec time = {.it_value = span(milliseconds)};
  unsigned long expired;
  begin(outcome);
  timerfd_settime(timer, 0, &time, NULL);
  finish(outcome, read(timer, &expired, sizeof expired));
  close(timer);
}

static void add_one(void* descriptor) { eventfd_write(*(int*)descriptor, 1); }

static void run_eventfd(struct outcome* outcome, int milliseconds) {
  int event = eventfd(0, EFD_CLOEXEC);
  unsigned long value;
  begin(outcome);
  struct later* adder = after(milliseconds, add_one, &event);
  finish(outcome, read(event, &value, sizeof value));
  done(adder);
  close(event);
}

// The child may only make system calls: other threads may hold any lock.
static pid_t child_that_sleeps(int milliseconds) {
  const struct timespec time = span(milliseconds);
  const pid_t child = fork();
  if (child == 0) {
    nanosleep(&time, NULL);
    _exit(7);
  }
  return child;
}

static void run_waitpid(struct outcome* outcome, int milliseconds) {
  int status = 0;
  begin(outcome);
  const pid_t child = child_that_sleeps(milliseconds);
  finish(outcome, waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : -1);
}

static void run_waitid(struct outcome* outcome, int milliseconds) {
  siginfo_t information;
  begin(outcome);
  const pid_t child = child_that_sleeps(milliseconds);
  finish(outcome, waitid(P_PID, child, &information, WEXITED));
}

const struct blocking_call file_calls[] = {
    {"read(pipe)", run_read_pipe},
    {"write(pipe)", run_write_pipe},
    {"read(timerfd)", run_timerfd},
    {"read(eventfd)", run_eventfd},
    {"waitpid", run_waitpid},
    {"waitid", run_waitid},
    {NULL, NULL},
};
