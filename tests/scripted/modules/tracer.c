/* Says on stderr what comes to it about the process's end. */
#include <oriel/oriel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct oriel_profiler {
  int raised;
};
static struct oriel_profiler tracer;

static void on_shutdown_end(oriel_profiler* profiler) {
  ++profiler->raised;
  fputs("tracer: shutdown_end\n", stderr);
}
static void on_cleanup(oriel_profiler* profiler) { fprintf(stderr, "tracer: cleanup after %d\n", profiler->raised); }
static void on_domain_loaded(oriel_profiler* profiler, oriel_domain* domain) {
  (void)profiler;
  fprintf(stderr, "tracer: domain %s\n", oriel_domain_name(domain));
}

/* Forks in the middle of an event; the child runs into its exit as if it were the program. */
static void on_assembly_loaded(oriel_profiler* profiler, oriel_assembly* assembly) {
  (void)profiler, (void)assembly;
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    oriel_profiler_handle handle = oriel_profiler_create(&tracer);
    oriel_profiler_set_domain_loading_callback(handle, on_domain_loaded);
    exit(oriel_set_sample_mode(handle, ORIEL_SAMPLE_REAL, 100) ? 1 : 0);
  }
  waitpid(child, &status, 0);
  fprintf(stderr, "tracer: child ended %d\n", status);
}

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_tracer(void) { return ORIEL_API_VERSION; }
ORIEL_MODULE_EXPORT int oriel_init_tracer(const char* args) {
  oriel_profiler_handle handle = oriel_profiler_create(&tracer);
  oriel_profiler_set_cleanup_callback(handle, on_cleanup);
  oriel_profiler_set_runtime_shutdown_end_callback(handle, on_shutdown_end);
  oriel_profiler_set_domain_loaded_callback(handle, on_domain_loaded);
  if (strcmp(args, "fork") == 0) oriel_profiler_set_assembly_loaded_callback(handle, on_assembly_loaded);
  return 0;
}
