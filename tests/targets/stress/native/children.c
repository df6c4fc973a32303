// Children made without the runtime's help. Between fork and _exit they make system calls and compute, no more.
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compute.h"

extern char** environ;

// What the child exited with, or minus the signal that it died of.
static int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) == -1 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int stress_children_fork_and_compute(int milliseconds, int code) {
  const pid_t child = fork();
  if (child == 0) {
    stress_compute(milliseconds);
    _exit(code);
  }
  return wait_for(child);
}

// 0 if the child slept through.
int stress_children_fork_and_sleep(int milliseconds) {
  const pid_t child = fork();
  if (child == 0) {
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    stress_compute(50);
    _exit(nanosleep(&time, NULL) == 0 ? 0 : 1);
  }
  return wait_for(child);
}

int stress_children_spawn(const char* path, const char* argument) {
  pid_t child;
  char* arguments[] = {(char*)path, (char*)argument, NULL};
  const int error = posix_spawn(&child, path, NULL, NULL, arguments, environ);
  return error != 0 ? -1000 - error : wait_for(child);
}

int stress_children_vfork(const char* path) {
  const pid_t child = vfork();
  if (child == 0) {
    execl(path, path, (char*)NULL);
    _exit(127);
  }
  return wait_for(child);
}

// A child that outlives the program by so long, and then says so on stdout.
void stress_children_leave_behind(int milliseconds) {
  const pid_t program = getpid();
  if (fork() != 0) return;
  const struct timespec moment = {0, 10000000}, time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  int slept = 1;
  while (getppid() == program) slept &= nanosleep(&moment, NULL) == 0;
  slept &= nanosleep(&time, NULL) == 0;
  const char* said = slept ? "the child slept\n" : "the child was woken\n";
  int length = 0;
  while (said[length] != 0) length++;
  _exit(write(STDOUT_FILENO, said, length) == length ? 0 : 1);
}
