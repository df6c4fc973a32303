// The calling thread's number in the kernel. gettid() is in glibc from 2.30 on, and Oriel runs with older ones.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace oriel {

inline uint32_t thread_id() { return static_cast<uint32_t>(syscall(SYS_gettid)); }

}  // namespace oriel
