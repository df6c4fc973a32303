/* How many exceptions were thrown after collections of each generation: a program of 50 lines that reads a log and
 * counts what no report counts. Use it: after-gc run.oriel */
#include <oriel/log.h>
#include <stdio.h>
#include <stdlib.h>

struct moment {
  uint64_t counter;
  uint64_t generation; /* of a collection that began */
  int is_exception;
};
static struct moment* moments;
static size_t count, room;

static void add(struct moment moment) {
  if (count == room) moments = realloc(moments, (room = room * 2 + 64) * sizeof *moments);
  if (moments == NULL) abort();
  moments[count++] = moment;
}

/* A thread's events come in their order, but one thread's after another's. */
static void on_event(void* generation, const oriel_log_event* event) {
  if (event->number == oriel_log_exception_throw) add((struct moment){event->counter, 0, 1});
  if (event->number == oriel_log_gc_begin) add((struct moment){event->counter, event->values[*(int*)generation], 0});
}

static int by_counter(const void* a, const void* b) {
  const uint64_t one = ((const struct moment*)a)->counter, other = ((const struct moment*)b)->counter;
  return (one > other) - (one < other);
}

int main(int argc, char** argv) {
  int generation = oriel_log_field_index(oriel_log_describe_event(oriel_log_gc_begin), "generation");
  oriel_log_sink sink = {.size = sizeof sink, .context = &generation, .event = on_event};
  char message[1000];
  if (argc != 2 || oriel_log_decode_file(argv[1], &sink, NULL, message, sizeof message) != 0) {
    fprintf(stderr, "after-gc: %s\n", argc == 2 ? message : "name a log");
    return 1;
  }
  if (count != 0) qsort(moments, count, sizeof *moments, by_counter);
  unsigned long after[4] = {0}; /* the first: before any collection */
  size_t last = 0;
  for (size_t i = 0; i < count; ++i) {
    if (moments[i].is_exception) ++after[last];
    if (!moments[i].is_exception) last = moments[i].generation < 2 ? moments[i].generation + 1 : 3;
  }
  printf("exceptions: %lu before any collection, after one of generation 0 %lu, 1 %lu, 2 %lu\n", after[0], after[1],
         after[2], after[3]);
  free(moments);
}
