/* Runs a program without some system calls, as a container's seccomp profile does: forbid NUMBER,… COMMAND…. Each of
 * those calls fails with EPERM, in the program and in its children. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#define MOST 16

int main(int argc, char** argv) {
  struct sock_filter filter[2 * MOST + 2];
  unsigned short count = 0;
  char* rest = argc > 2 ? argv[1] : NULL;
  filter[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int calls = 0; rest != NULL && *rest != 0 && calls < MOST; ++calls) {
    const unsigned number = (unsigned)strtoul(rest, &rest, 10);
    if (*rest == ',') ++rest;
    filter[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  }
  filter[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog program = {count, filter};
  if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("forbid");
    return 125;
  }
  execvp(argv[2], argv + 2);
  perror(argv[2]);
  return 127;
}
