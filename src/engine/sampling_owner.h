// Who may set the sampling mode: the first profiler that asked.
#pragma once

namespace oriel {

// Has samples taken as they were last asked for; what goes wrong is said, and then there are none. Not two at a time.
void apply_sample_mode();

// A module refused to start: if a profiler of that load owns sampling, it is off and free again.
void disown_sampling_of(const void* load);

// For the process's end.
void stop_sampling();

}  // namespace oriel
