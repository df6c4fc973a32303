// Methods of the framework in which a thread waits for a lock.
#pragma once

#include "oriel/oriel.h"

namespace oriel::modules {

// Whether it is one of System.Threading.Monitor's or System.Threading.Lock's that take a lock: the runtime tells of
// waits in these one by one. Asks for the method's name: not async-safe.
bool is_lock_entry(oriel_method* method);

// Whether it is one that such a method may call to wait. Likewise.
bool is_waiting_method(oriel_method* method);

}  // namespace oriel::modules
