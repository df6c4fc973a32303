// The CPU time of single threads.
#pragma once

#include <cstdint>
#include <ctime>

namespace oriel {

// The clock of the CPU time that one thread of this process uses, by the system's id of it; clock_gettime fails for one
// that has ended. Made as the kernel does (include/linux/posix-timers_types.h): pthread_getcpuclockid knows only
// threads of the C library. Async-safe.
inline clockid_t cpu_clock_of(uint32_t tid) { return static_cast<clockid_t>((~tid << 3) | 6u); }

}  // namespace oriel
