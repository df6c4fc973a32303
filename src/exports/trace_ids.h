// Numbers of processes and threads in traces, whose readers take equal ones for the same thing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::exports {

struct TraceIds {
  struct Process {
    uint32_t pid = 0;
    std::string name;     // sanitized
    std::string command;  // sanitized; "" if not known
  };
  std::vector<Process> processes;     // those of the profile; at least one
  std::vector<uint32_t> process_of;   // by thread: index into processes
  std::vector<uint32_t> tid;          // by thread
  std::vector<std::string> labels;    // by thread, as thread_labels
  std::vector<uint32_t> main_thread;  // by process: the thread that stands for it, index into threads; kNone: none

  static constexpr uint32_t kNone = UINT32_MAX;
};

// As the system numbered them, where that tells them apart: it reuses numbers, and in containers each has its own. The
// others get numbers that the system does not give.
TraceIds trace_ids(const profile::Profile& profile);

// "gc.heap.generation.size {gc.heap.generation=gen0}", sanitized.
std::string series_name(const profile::CounterSeries& series);

// Samples by time: their indices.
std::vector<uint32_t> samples_by_time(const profile::Profile& profile);

}  // namespace oriel::exports
