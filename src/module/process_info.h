// What each module's log says of the process that it is about, and of the profiler in it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "log/format.h"

namespace oriel::modules {

// A file's name with %p and %n (base/files/file_template.h) as those of this process. While a module starts, on the
// runtime's thread: the process's command line is in the program's table of files for a moment, before its own code
// runs.
std::string expand_for_process(std::string_view text);

// What a log begins with: the runtime, the time, and the properties that log/properties.h has of a process, from its
// command to the counter of its clock. A module adds its own.
log::Intro new_intro();

// How many methods fared in which way when they were to get probes, where any did.
std::vector<log::Counter> instrumentation_counters();
// What other profilers in the process did so far.
std::vector<log::Counter> guest_counters();

// CPU time and peak memory of this process up to now.
log::ProcessUsage process_usage();
// That of the processes that it started, as far as these have ended and it has asked how.
log::Counter children_cpu();

// The processor time that Oriel's threads in this process have used so far: all of the engine's and the modules', known
// by their names, "oriel-…". Those that have ended keep what they had when this was last asked. To be asked by one
// thread.
class OwnCpu {
 public:
  log::Counter count();

 private:
  void find_threads();

  unsigned asked_ = 0;
  std::map<pid_t, uint64_t> nanoseconds_;  // by thread
};

}  // namespace oriel::modules
