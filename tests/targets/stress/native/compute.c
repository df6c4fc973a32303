#include "compute.h"

#include <time.h>

static long used_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

static void turn(long rounds) {
  for (volatile long i = 0; i < rounds; i++) {
  }
}

void stress_compute(int milliseconds) {
  const long end = used_nanoseconds() + milliseconds * 1000000L;
  do turn(100000);
  while (used_nanoseconds() < end);
}
