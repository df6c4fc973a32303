#include "engine/heap/free_memory.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/files/descriptor.h"
#include "base/process/control_groups.h"
#include "base/process/task_limit.h"

namespace oriel {
namespace {

constexpr uint64_t kUnlimited = UINT64_MAX;

// Version 2, or 1: the limit, what is used, and how much of that is cache.
uint64_t left_in_group(const std::string& folder) {
  const bool is_second = !system_text(folder + "/memory.current").empty();
  const std::string most = system_text(folder + (is_second ? "/memory.max" : "/memory.limit_in_bytes"));
  if (most.empty() || most[0] < '0' || most[0] > '9') return kUnlimited;
  const std::string now = system_text(folder + (is_second ? "/memory.current" : "/memory.usage_in_bytes"));
  const uint64_t limit = std::strtoull(most.c_str(), nullptr, 10), used = std::strtoull(now.c_str(), nullptr, 10);
  const uint64_t cache =
      number_behind(system_text(folder + "/memory.stat").c_str(), is_second ? "inactive_file" : "total_inactive_file");
  const uint64_t needed = cache == kUnlimited ? used : used - std::min(used, cache);
  return limit - std::min(limit, needed);
}

uint64_t left_in_machine() {
  const uint64_t kilobytes = number_behind(system_text("/proc/meminfo").c_str(), "MemAvailable:");
  return kilobytes == kUnlimited ? kUnlimited : kilobytes << 10;
}

}  // namespace

uint64_t free_memory() { return std::min(left_in_machine(), least_in_control_groups("memory", left_in_group)); }

}  // namespace oriel
