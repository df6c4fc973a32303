// The signal handler. Everything it calls is in files that tests/fence holds to the handler's list.
#pragma once

#include <csignal>

namespace oriel::sampling {

// Takes a sample of the calling thread if the signal is one of our timers'; anything else goes to the handler that
// shares the signal, if one does.
void on_signal(int signal, siginfo_t* info, void* context);

}  // namespace oriel::sampling
