// Threads of the profiler's own in the program's process.
#pragma once

#include <pthread.h>

namespace oriel {

// Starts one, which none of the program's signals reach and whose stack takes 512 KB of address space: as much as the
// system's usual 8 MB may be what a program is short of. Returns 0 or the error of pthread_create. Not async-safe.
int start_own_thread(pthread_t& thread, void* (*run)(void*), void* argument);

}  // namespace oriel
