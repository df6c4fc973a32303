/* A profiler for Mono, as its headers make one. */
void* mono_profiler_create(void* profiler);

__attribute__((visibility("default"))) void mono_profiler_init_ofmono(const char* description) {
  mono_profiler_create((void*)description);
}
