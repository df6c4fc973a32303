// The profiler's own threads, in the program's process and in the tools'.
#pragma once

#include <pthread.h>

namespace oriel {

// Starts a thread that blocks all signals and has a stack of 512 KB: with the usual 8 MB a program could run out of
// address space. Returns 0 or the error of pthread_create. Not async-safe.
int start_own_thread(pthread_t& thread, void* (*run)(void*), void* argument);

}  // namespace oriel
