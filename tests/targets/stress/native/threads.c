// Threads that the runtime does not know until they call it.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { AT_ONCE = 50 };

struct caller {
  pthread_t thread;
  int (*call)(int number);
  int number, milliseconds, answer;
};

static void* call_and_end(void* argument) {
  struct caller* caller = argument;
  caller->answer = caller->call(caller->number);
  if (caller->milliseconds > 0) {
    usleep(caller->milliseconds * 1000);
    caller->answer += caller->call(caller->number);
  }
  return NULL;
}

// So many threads, 50 at a time, each of which calls with its number, and with `milliseconds` once more after so long;
// the sum of what is answered.
long stress_threads_foreign(int count, int milliseconds, int (*call)(int number)) {
  struct caller callers[AT_ONCE];
  long sum = 0;
  for (int first = 0; first < count; first += AT_ONCE) {
    for (int i = 0; i < AT_ONCE; i++) {
      callers[i] = (struct caller){.call = call, .number = first + i, .milliseconds = milliseconds};
      pthread_create(&callers[i].thread, NULL, call_and_end, &callers[i]);
    }
    for (int i = 0; i < AT_ONCE; i++) {
      pthread_join(callers[i].thread, NULL);
      sum += callers[i].answer;
    }
  }
  return sum;
}
