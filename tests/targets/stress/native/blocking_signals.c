// Calls that wait for signals.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "blocking.h"

static void take_no_notice(int number) { (void)number; }

// A signal that comes before the wait for it begins would be missed: it is sent until the wait has ended.
struct repeated_signal {
  pthread_t to;
  atomic_bool ended;
};

static void send_until_ended(void* argument) {
  struct repeated_signal* sent = argument;
  while (!atomic_load(&sent->ended)) {
    pthread_kill(sent->to, SIGUSR2);
    usleep(5000);
  }
}

// In a thread that takes SIGUSR2 nowhere else.
static void run_interrupted(struct outcome* outcome, int milliseconds, int (*wait)(const sigset_t*)) {
  const struct sigaction action = {.sa_handler = take_no_notice};
  sigset_t set, before;
  struct repeated_signal sent = {.to = pthread_self()};
  sigaction(SIGUSR2, &action, NULL);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_UNBLOCK, &set, &before);
  begin(outcome);
  struct later* sender = after(milliseconds, send_until_ended, &sent);
  finish(outcome, wait(&before));
  atomic_store(&sent.ended, true);
  done(sender);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static int wait_by_pause(const sigset_t* mask) {
  (void)mask;
  return pause();
}

static void run_pause(struct outcome* outcome, int milliseconds) {
  run_interrupted(outcome, milliseconds, wait_by_pause);
}

static void run_sigsuspend(struct outcome* outcome, int milliseconds) {
  run_interrupted(outcome, milliseconds, sigsuspend);
}

static void block(int number, sigset_t* set, sigset_t* before) {
  sigemptyset(set);
  sigaddset(set, number);
  pthread_sigmask(SIG_BLOCK, set, before);
}

static void run_sigtimedwait(struct outcome* outcome, int milliseconds) {
  sigset_t set, before;
  const struct timespec time = span(milliseconds);
  block(SIGUSR1, &set, &before);
  begin(outcome);
  finish(outcome, sigtimedwait(&set, NULL, &time));
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void send_once(void* to) { pthread_kill(*(pthread_t*)to, SIGUSR1); }

static void run_sigwaitinfo(struct outcome* outcome, int milliseconds) {
  sigset_t set, before;
  pthread_t self = pthread_self();
  block(SIGUSR1, &set, &before);
  begin(outcome);
  struct later* sender = after(milliseconds, send_once, &self);
  finish(outcome, sigwaitinfo(&set, NULL));
  done(sender);
  // Where the wait ended early the signal came later: it must not end the program.
  if (outcome->returned != SIGUSR1) sigwaitinfo(&set, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void run_signalfd(struct outcome* outcome, int milliseconds) {
  sigset_t set, before;
  block(SIGUSR1, &set, &before);
  const int descriptor = signalfd(-1, &set, SFD_CLOEXEC);
  struct pollfd waited = {descriptor, POLLIN, 0};
  begin(outcome);
  finish(outcome, poll(&waited, 1, milliseconds));
  close(descriptor);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

const struct blocking_call signal_calls[] = {
    {"pause", run_pause},
    {"sigsuspend", run_sigsuspend},
    {"sigtimedwait", run_sigtimedwait},
    {"sigwaitinfo", run_sigwaitinfo},
    {"poll(signalfd)", run_signalfd},
    {NULL, NULL},
};
