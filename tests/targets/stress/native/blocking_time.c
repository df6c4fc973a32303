// Calls that wait for time to pass, or for a descriptor that never gets ready.
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "blocking.h"

static void run_usleep(struct outcome* outcome, int milliseconds) {
  begin(outcome);
  finish(outcome, usleep(milliseconds * 1000));
}

// Whole seconds are all that it knows.
static void run_sleep(struct outcome* outcome, int milliseconds) {
  outcome->milliseconds = milliseconds < 1000 ? 1000 : milliseconds / 1000 * 1000;
  begin(outcome);
  finish(outcome, sleep(outcome->milliseconds / 1000));
}

static void run_nanosleep(struct outcome* outcome, int milliseconds) {
  const struct timespec time = span(milliseconds);
  begin(outcome);
  finish(outcome, nanosleep(&time, NULL));
}

static void run_clock_nanosleep(struct outcome* outcome, int milliseconds) {
  const struct timespec time = span(milliseconds);
  begin(outcome);
  finish(outcome, clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL));
}

static void run_clock_nanosleep_until(struct outcome* outcome, int milliseconds) {
  begin(outcome);
  const long end = outcome->start + milliseconds * 1000000L;
  const struct timespec time = {end / 1000000000, end % 1000000000};
  finish(outcome, clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL));
}

const struct blocking_call sleeping_calls[] = {
    {"usleep", run_usleep},
    {"sleep", run_sleep},
    {"nanosleep", run_nanosleep},
    {"clock_nanosleep", run_clock_nanosleep},
    {"clock_nanosleep(TIMER_ABSTIME)", run_clock_nanosleep_until},
    {NULL, NULL},
};

static void run_poll(struct outcome* outcome, int milliseconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  struct pollfd waited = {ends[0], POLLIN, 0};
  begin(outcome);
  finish(outcome, poll(&waited, 1, milliseconds));
  close(ends[0]);
  close(ends[1]);
}

static void run_ppoll(struct outcome* outcome, int milliseconds) {
  const struct timespec time = span(milliseconds);
  begin(outcome);
  finish(outcome, ppoll(NULL, 0, &time, NULL));
}

static void run_select(struct outcome* outcome, int milliseconds) {
  struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000L};
  begin(outcome);
  finish(outcome, select(0, NULL, NULL, NULL, &time));
}

static void run_pselect(struct outcome* outcome, int milliseconds) {
  const struct timespec time = span(milliseconds);
  begin(outcome);
  finish(outcome, pselect(0, NULL, NULL, NULL, &time, NULL));
}

static void run_epoll_wait(struct outcome* outcome, int milliseconds) {
  const int poller = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event;
  begin(outcome);
  finish(outcome, epoll_wait(poller, &event, 1, milliseconds));
  close(poller);
}

static void run_epoll_pwait(struct outcome* outcome, int milliseconds) {
  const int poller = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event;
  begin(outcome);
  finish(outcome, epoll_pwait(poller, &event, 1, milliseconds, NULL));
  close(poller);
}

static void run_io_getevents(struct outcome* outcome, int milliseconds) {
  aio_context_t context = 0;
  struct timespec time = span(milliseconds);
  struct io_event event;
  if (syscall(SYS_io_setup, 1, &context) != 0) return;
  begin(outcome);
  finish(outcome, syscall(SYS_io_getevents, context, 1L, 1L, &event, &time));
  syscall(SYS_io_destroy, context);
}

const struct blocking_call polling_calls[] = {
    {"poll", run_poll},
    {"ppoll", run_ppoll},
    {"select", run_select},
    {"pselect", run_pselect},
    {"epoll_wait", run_epoll_wait},
    {"epoll_pwait", run_epoll_pwait},
    {"io_getevents", run_io_getevents},
    {NULL, NULL},
};
