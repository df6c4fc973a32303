// Data about the process, and the profiler in it, for each module's log.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "log/format.h"

namespace oriel::modules {

// Expands %p and %n in a file name (base/files/file_template.h) for this process. On the runtime's thread while a
// module starts: reading the command line uses the program's descriptor table for a moment, before its own code runs.
std::string expand_for_process(std::string_view text);

// The start of a log: the runtime, the time, and the properties in log/properties.h about a process, from its command
// to the unit of its clock. A module adds its own.
log::Intro new_intro();

// Numbers of methods by the outcome of their instrumentation, without zeros.
std::vector<log::Counter> instrumentation_counters();
// The activity of other profilers in the process so far.
std::vector<log::Counter> guest_counters();

// CPU time and peak memory of this process so far.
log::ProcessUsage process_usage();
// CPU time of its child processes, as far as they have ended and it has waited for them.
log::Counter children_cpu();

// CPU time of Oriel's threads in this process so far: all of the engine's and the modules', recognized by their names,
// "oriel-…". A thread that has ended keeps its last value. For one thread at a time.
class OwnCpu {
 public:
  log::Counter count();

 private:
  void find_threads();

  unsigned asked_ = 0;
  std::map<pid_t, uint64_t> nanoseconds_;  // by thread
};

}  // namespace oriel::modules
