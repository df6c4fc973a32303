// The program stopped by Mono, which stops it only for its collector's sake: a collection of the nursery is made, and
// at its end, before the program goes on, there is a moment in which Mono's heap can be walked.
#pragma once

#include <cstdint>

#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

// What is done with the stopped program. Its threads are stopped wherever they are, and may hold any lock: nothing here
// locks or allocates.
class StoppedWork {
 public:
  virtual ~StoppedWork() = default;
  // References that the collector has found, with the places that hold them (root_register.h); several calls.
  virtual void on_roots(uint64_t count, const uint8_t* const* places, MonoObject* const* objects) = 0;
  virtual void run() = 0;
};

struct Stop {
  uint64_t counter = 0;    // oriel_clock; 0: the program could not be stopped
  uint64_t frozen_ns = 0;  // from when all threads stood until they were let go
};

// Stops the program, and lets it go on when the work is done. On a thread that may ask Mono (may_ask).
Stop do_while_stopped(StoppedWork& work);

// From now on the program is not stopped: a thread of Mono's ends it, and may be at work in the collector. Waits for a
// stop that is under way, for a second at most; returns whether it is over.
bool refuse_stops();
bool are_stops_refused();

// Whether Mono's collector marks objects on threads of its own while the program runs. Until the end of that there is
// no other work for them.
bool is_marking();

// Before Mono's collector starts.
void hear_of_stops(MonoProfilerDesc* profiler);

}  // namespace oriel::mono
