// Limits of processors and memory, and the time for which processors were denied: from control groups (a container's),
// and a virtual machine's share of its host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "log/format.h"

namespace oriel::modules {

// Reads system files; any thread, not async-safe.
class CpuGroup {
 public:
  // Counting starts now. `root` is a prefix of the system files' paths: "" except in tests.
  explicit CpuGroup(std::string root = "");

  // In processors, for example 1.5: the lowest limit of the group and its parents. 0 if there is none.
  double limit() const { return limit_; }
  // As in log/properties.def: cpu.periods, cpu.throttled and cpu.throttled-ns if there is a limit, cpu.stolen-ns if
  // there is any.
  std::vector<log::Counter> counters() const;

 private:
  struct Throttling {
    uint64_t periods = 0, throttled = 0, ns = 0;
  };
  void take_if_least(const std::string& folder);
  Throttling throttling() const;
  uint64_t stolen_ns() const;

  std::string root_;
  std::string folder_;  // of the limit; "" if there is none
  double limit_ = 0;
  Throttling throttling_before_;
  uint64_t stolen_before_ = 0;
};

// In bytes, the lowest limit of the group and its parents; 0 if there is none. `root` as above.
uint64_t memory_limit(const std::string& root = "");

}  // namespace oriel::modules
