/* A module of Oriel's whose threads, one after the other, ask about a method while the program collects. Each becomes
 * known to Mono when it asks, with all signals blocked, as Oriel's own threads are. */
#include <oriel/oriel.h>
#include <pthread.h>
#include <signal.h>

static oriel_method* method;

static void* ask(void* nothing) {
  oriel_thread_attach_tools();
  oriel_method_is_trivial(method);
  return nothing;
}

static void* ask_all_the_time(void* nothing) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  oriel_thread_attach_tools();
  for (int i = 0; i < 20000; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, ask, NULL) != 0) break;
    pthread_join(thread, NULL);
  }
  return nothing;
}

static void on_jit_done(oriel_profiler* self, oriel_method* compiled, const void* code, uint64_t size) {
  oriel_method* none = NULL;
  if (oriel_method_token(compiled) == 0) return;
  if (!__atomic_compare_exchange_n(&method, &none, compiled, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  pthread_t thread;
  if (pthread_create(&thread, NULL, ask_all_the_time, NULL) == 0) pthread_detach(thread);
}

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_asks(void) { return ORIEL_API_VERSION; }
ORIEL_MODULE_EXPORT int oriel_init_asks(const char* arguments) {
  oriel_profiler_set_jit_done_callback(oriel_profiler_create(NULL), on_jit_done);
  return 0;
}
