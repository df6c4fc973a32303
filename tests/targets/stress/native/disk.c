// To be preloaded: a disk that is slow, or full. STRESS_DISK is "slow" (each write to a log takes 50 ms) or "full" (no
// log gets more than 16 KB).
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { SLOW_NANOSECONDS = 50000000, ROOM = 16384 };
static atomic_long used;

static int is_log(int descriptor) {
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strstr(path, ".oriel") != NULL;
}

// How many of the bytes may be written; -1 where there is no room.
static ssize_t allowed(int descriptor, size_t size) {
  const char* disk = getenv("STRESS_DISK");
  if (disk == NULL || !is_log(descriptor)) return (ssize_t)size;
  if (strcmp(disk, "slow") == 0) {
    const struct timespec time = {0, SLOW_NANOSECONDS};
    nanosleep(&time, NULL);
    return (ssize_t)size;
  }
  const long before = atomic_fetch_add(&used, (long)size);
  if (before + (long)size <= ROOM) return (ssize_t)size;
  errno = ENOSPC;
  return -1;
}

ssize_t write(int descriptor, const void* data, size_t size) {
  static ssize_t (*real)(int, const void*, size_t);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "write");
  const ssize_t room = allowed(descriptor, size);
  return room < 0 ? -1 : real(descriptor, data, room);
}

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  static ssize_t (*real)(int, const void*, size_t, off_t);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "pwrite");
  const ssize_t room = allowed(descriptor, size);
  return room < 0 ? -1 : real(descriptor, data, room, offset);
}

ssize_t writev(int descriptor, const struct iovec* pieces, int count) {
  static ssize_t (*real)(int, const struct iovec*, int);
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "writev");
  size_t size = 0;
  for (int i = 0; i < count; i++) size += pieces[i].iov_len;
  return allowed(descriptor, size) < 0 ? -1 : real(descriptor, pieces, count);
}
