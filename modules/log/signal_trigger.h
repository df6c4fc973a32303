// A signal that asks a flight recorder to save, or for a snapshot of the heap. The program's own handler of it goes on
// being called. A log has one of the two, so one thread calls these functions: the recorder's writer, or that of
// snapshots.
#pragma once

namespace oriel::log_module {

// Watches this signal from now on, and no other; 0: none.
void watch_signal(int number);

// Whether the signal has come since the last call. Also sees to it that a handler which the program has installed
// meanwhile stands behind Oriel's. After some such changes it gives up, and says once what the signal does no more:
// "saves nothing any more; use oriel ctl PID save".
bool take_signal(const char* no_more);

}  // namespace oriel::log_module
