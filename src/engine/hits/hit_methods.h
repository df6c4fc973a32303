// Removes probes that have been hit, by recompiling methods without them now and then. On the engine's own thread.
#pragma once

namespace oriel::hits {

// Whether there may be any.
bool may_have_hit_methods();
// Looks for them if it is time.
void remove_hit_probes();
// After the first reset by a profiler: gives those methods their probes back.
void restore_probes();

}  // namespace oriel::hits
