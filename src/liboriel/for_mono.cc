// oriel-mono/libmono-profiler-oriel.so has no code: Mono opens it, and finds mono_profiler_init_oriel in liboriel.so,
// which it is linked with.
