// Methods of the framework in which a thread waits for a lock.
#pragma once

#include "oriel/oriel.h"

namespace oriel::modules {

// Whether it is a method of System.Threading.Monitor or System.Threading.Lock that takes a lock: the runtime reports
// waits in these individually. Asks for the method's name: not async-safe.
bool is_lock_entry(oriel_method* method);

// Whether such a method may call it in order to wait. Likewise.
bool is_waiting_method(oriel_method* method);

}  // namespace oriel::modules
