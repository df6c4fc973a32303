// A signal that asks a flight recorder to save. The program's own handler of it goes on being called.
#pragma once

namespace oriel::log_module {

// Watches this signal from now on, and no other; 0: none. Only for the log's writer.
void watch_signal(int number);

// Whether the signal has come since the last call. Also sees to it that a handler which the program has installed
// meanwhile stands behind Oriel's; after some such changes it gives up with one message. Likewise.
bool take_signal();

}  // namespace oriel::log_module
