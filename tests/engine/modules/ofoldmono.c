/* A profiler for Mono's first API, which needs nothing that the loader would miss. */
__attribute__((visibility("default"))) void mono_profiler_startup(const char* description) { (void)description; }
