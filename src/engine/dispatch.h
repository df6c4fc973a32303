// Ending the raising of events: for the process's end and for the child of a fork.
#pragma once

namespace oriel {

// From now on no callback is called. Async-safe.
void stop_raising();

// After stop_raising: waits until no other thread is in a callback, at most 100 ms (one may itself be ending the
// process).
void wait_for_callbacks();

}  // namespace oriel
