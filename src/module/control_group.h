// How many processors and how much memory the process may use, and for how long it was denied processors: limits of its
// control groups (a container's), and a virtual machine's share of its host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "log/format.h"

namespace oriel::modules {

// All of it reads files of the system; on any thread, not async-safe.
class CpuGroup {
 public:
  // What is counted begins now. `root` comes before the paths of the system's files: "" but in tests.
  explicit CpuGroup(std::string root = "");

  // In processors, as 1.5: the least of the limits of the group and those around it. 0 if there is none.
  double limit() const { return limit_; }
  // log/properties.def has them: cpu.periods, cpu.throttled and cpu.throttled-ns where there is a limit, cpu.stolen-ns
  // where there is any.
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

// In bytes, the least of the limits of the group and those around it; 0 if there is none. `root` as above.
uint64_t memory_limit(const std::string& root = "");

}  // namespace oriel::modules
