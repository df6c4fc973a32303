// The callbacks' state and what else logs share one after another. It lives as long as the process, because callbacks
// may run at any time.
#pragma once

#include "oriel/oriel.h"
#include "recorder.h"
#include "written_files.h"

namespace oriel::log_module {

struct Ears {
  oriel_profiler profiler;
  oriel_profiler_handle handle = oriel_profiler_create(&profiler);
  oriel_profiler_handle watcher = nullptr;  // for suspensions only; created when needed
  bool any_log = false;                     // a log has begun before
  bool is_stuck = false;                    // a log's writer did not end in time; it keeps its log
  WrittenFiles files, saved;

  Recorder& recorder() { return profiler.recorder; }
  // False without memory.
  bool watch_suspensions();
};

// Of this process.
Ears& ears();

}  // namespace oriel::log_module
