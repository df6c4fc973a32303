// What a process uses, as /proc tells it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace oriel::diagnostics {

struct Usage {
  int64_t cpu_ns = 0;     // processor time since its start, of all threads
  uint64_t resident = 0;  // bytes of memory
  uint32_t threads = 0;
  uint32_t pool_workers = 0;  // threads of .NET's thread pool
};

// Nullopt of a process that has ended.
std::optional<Usage> read_usage(pid_t pid);

namespace internal {
// From the texts of /proc/PID/stat and statm.
std::optional<Usage> parse_usage(std::string_view stat, std::string_view statm);
}  // namespace internal

}  // namespace oriel::diagnostics
