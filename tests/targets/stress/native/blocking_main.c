// All the blocking calls in a program without a runtime: what `oriel run` does to a program that it cannot look into.
#include <stdio.h>
#include <stdlib.h>

#include "blocking.h"

int main(void) {
  const int count = stress_blocking_count();
  struct outcome* outcomes = calloc(count, sizeof *outcomes);
  stress_blocking_foreign(300, outcomes);
  for (int i = 0; i < count; i++) {
    const char* name = stress_blocking_name(i);
    printf("%s: returned %ld, %s\n", name, outcomes[i].returned, stress_error_name(outcomes[i].error));
    printf("~ %s %ld %.1f\n", name, outcomes[i].milliseconds, outcomes[i].nanoseconds / 1e6);
  }
  free(outcomes);
  return 0;
}
