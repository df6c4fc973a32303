// Who may set the sampling mode: the first profiler that asked.
#pragma once

namespace oriel {

// A module refused to start: if a profiler of that load owns sampling, it is off and free again.
void disown_sampling_of(const void* load);

// For the process's end.
void stop_sampling();

}  // namespace oriel
