/* A module of Oriel's that writes what it heard to the file of its argument: collections whose numbers or kinds do not
 * fit, GC handles, and the classes of exceptions as they leave methods of the class Flights. */
#include <oriel/oriel.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct oriel_profiler {
  FILE* out;
  uint32_t begun[2], collections[2], nested, wrong_numbers, wrong_kinds, concurrent;
  bool stop_is_serial[2];
  uint64_t handles_created, handles_deleted;
};
static struct oriel_profiler self_;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void on_gc_begin(oriel_profiler* self, uint32_t number, uint32_t generation, oriel_gc_reason reason) {
  (void)reason;
  if (generation == 0 && self->begun[1] != 0) self->nested++;
  self->begun[generation] = number;
  self->collections[generation]++;
}

static void on_gc_end(oriel_profiler* self, uint32_t number, uint32_t generation) {
  if (number != self->begun[generation]) self->wrong_numbers++;
  self->begun[generation] = 0;
}

/* A collection that begins while the program is stopped for it is of the same kind as the stop. */
static void on_gc_event(oriel_profiler* self, oriel_gc_event event, uint32_t generation, bool is_serial) {
  if (event == ORIEL_GC_PRE_STOP_WORLD) self->stop_is_serial[generation] = is_serial;
  if (event != ORIEL_GC_START) return;
  if (is_serial != self->stop_is_serial[generation]) self->wrong_kinds++;
  if (!is_serial) self->concurrent++;
}

static void on_handle_created(oriel_profiler* self, const void* handle, oriel_class* klass) {
  (void)handle, (void)klass;
  __atomic_fetch_add(&self->handles_created, 1, __ATOMIC_RELAXED);
}

static void on_handle_deleted(oriel_profiler* self, const void* handle) {
  (void)handle;
  __atomic_fetch_add(&self->handles_deleted, 1, __ATOMIC_RELAXED);
}

static void on_exception_leave(oriel_profiler* self, oriel_method* method, oriel_object* exception) {
  oriel_class* klass = exception ? oriel_object_class(exception) : NULL;
  pthread_mutex_lock(&lock);
  fprintf(self->out, "left %s %s\n", oriel_method_name(method), klass ? oriel_class_name(klass) : "unknown");
  pthread_mutex_unlock(&lock);
}

static uint32_t choose(oriel_profiler* self, oriel_method* method) {
  (void)self;
  return strncmp(oriel_method_name(method), "Flights.", 8) == 0 ? ORIEL_CALLS_EXCEPTION_LEAVE : ORIEL_CALLS_NONE;
}

static void on_cleanup(oriel_profiler* self) {
  fprintf(self->out, "nursery %u\nold %u\nnested %u\nwrong numbers %u\nwrong kinds %u\nconcurrent %u\nhandles %llu\n",
          self->collections[0], self->collections[1], self->nested, self->wrong_numbers, self->wrong_kinds,
          self->concurrent, (unsigned long long)(self->handles_created + self->handles_deleted));
  fclose(self->out);
}

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_watch(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_watch(const char* args) {
  self_.out = fopen(args, "w");
  if (!self_.out) return 1;
  oriel_profiler_handle handle = oriel_profiler_create(&self_);
  oriel_profiler_set_gc_begin_callback(handle, on_gc_begin);
  oriel_profiler_set_gc_end_callback(handle, on_gc_end);
  oriel_profiler_set_gc_event_callback(handle, on_gc_event);
  oriel_profiler_set_gc_handle_created_callback(handle, on_handle_created);
  oriel_profiler_set_gc_handle_deleted_callback(handle, on_handle_deleted);
  oriel_profiler_set_method_exception_leave_callback(handle, on_exception_leave);
  oriel_profiler_set_call_instrumentation_filter_callback(handle, choose);
  oriel_profiler_set_cleanup_callback(handle, on_cleanup);
  return 0;
}
