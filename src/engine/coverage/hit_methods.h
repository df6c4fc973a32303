// Removes probes that have been hit, by recompiling methods without them now and then. On the engine's own thread.
#pragma once

namespace oriel::coverage {

// Whether there may be any.
bool looks_for_hit_methods();
// Looks for them if it is time.
void take_probes_from_hit_methods();
// After the first reset by a profiler: gives those methods their probes back.
void give_probes_back();

}  // namespace oriel::coverage
