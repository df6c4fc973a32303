// System V's and POSIX's queues and semaphores.
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <unistd.h>

#include "blocking.h"

struct message {
  long kind;
  char text[4096];
};

static void send_message(void* queue) {
  const struct message message = {.kind = 1};
  msgsnd(*(int*)queue, &message, 8, 0);
}

static void run_msgrcv(struct outcome* outcome, int milliseconds) {
  int queue = msgget(IPC_PRIVATE, 0600);
  struct message message;
  begin(outcome);
  struct later* sender = after(milliseconds, send_message, &queue);
  finish(outcome, msgrcv(queue, &message, sizeof message.text, 0, 0));
  done(sender);
  msgctl(queue, IPC_RMID, NULL);
}

static void take_message(void* queue) {
  struct message message;
  msgrcv(*(int*)queue, &message, sizeof message.text, 0, 0);
}

static void run_msgsnd(struct outcome* outcome, int milliseconds) {
  int queue = msgget(IPC_PRIVATE, 0600);
  const struct message message = {.kind = 1};
  while (msgsnd(queue, &message, sizeof message.text, IPC_NOWAIT) == 0) {
  }
  begin(outcome);
  struct later* taker = after(milliseconds, take_message, &queue);
  finish(outcome, msgsnd(queue, &message, sizeof message.text, 0));
  done(taker);
  msgctl(queue, IPC_RMID, NULL);
}

static void raise_semaphore(void* set) {
  struct sembuf up = {0, 1, 0};
  semop(*(int*)set, &up, 1);
}

static void run_semop(struct outcome* outcome, int milliseconds) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf down = {0, -1, 0};
  begin(outcome);
  struct later* raiser = after(milliseconds, raise_semaphore, &set);
  finish(outcome, semop(set, &down, 1));
  done(raiser);
  semctl(set, 0, IPC_RMID);
}

static void run_semtimedop(struct outcome* outcome, int milliseconds) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf down = {0, -1, 0};
  const struct timespec time = span(milliseconds);
  begin(outcome);
  finish(outcome, semtimedop(set, &down, 1, &time));
  semctl(set, 0, IPC_RMID);
}

static void run_sem_timedwait(struct outcome* outcome, int milliseconds) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  const struct timespec end = wall_clock_in(milliseconds);
  begin(outcome);
  finish(outcome, sem_timedwait(&semaphore, &end));
  sem_destroy(&semaphore);
}

static void post(void* semaphore) { sem_post(semaphore); }

static void run_sem_wait(struct outcome* outcome, int milliseconds) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  begin(outcome);
  struct later* poster = after(milliseconds, post, &semaphore);
  finish(outcome, sem_wait(&semaphore));
  done(poster);
  sem_destroy(&semaphore);
}

// A queue for one message of one byte.
static mqd_t open_queue(void) {
  char name[64];
  struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 1};
  snprintf(name, sizeof name, "/oriel-stress-%d-%d", getpid(), gettid());
  const mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600, &attributes);
  mq_unlink(name);
  return queue;
}

static void run_mq_timedreceive(struct outcome* outcome, int milliseconds) {
  const mqd_t queue = open_queue();
  char text[1];
  const struct timespec end = wall_clock_in(milliseconds);
  begin(outcome);
  finish(outcome, mq_timedreceive(queue, text, sizeof text, NULL, &end));
  mq_close(queue);
}

static void run_mq_timedsend(struct outcome* outcome, int milliseconds) {
  const mqd_t queue = open_queue();
  mq_send(queue, "a", 1, 0);
  const struct timespec end = wall_clock_in(milliseconds);
  begin(outcome);
  finish(outcome, mq_timedsend(queue, "b", 1, 0, &end));
  mq_close(queue);
}

const struct blocking_call ipc_calls[] = {
    {"msgrcv", run_msgrcv},
    {"msgsnd", run_msgsnd},
    {"semop", run_semop},
    {"semtimedop", run_semtimedop},
    {"sem_timedwait", run_sem_timedwait},
    {"sem_wait", run_sem_wait},
    {"mq_timedreceive", run_mq_timedreceive},
    {"mq_timedsend", run_mq_timedsend},
    {NULL, NULL},
};
