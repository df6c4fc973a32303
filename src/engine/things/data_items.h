// What profilers keep with the runtime's things (oriel/code.h).
#pragma once

#include "engine/things/entities.h"

namespace oriel {

// The thing is gone, and says so: tells the profilers that keep something with it. Under no lock.
void tell_gone(const Entity& thing);
// What the profilers of a module that refused to start keep is forgotten, and nobody told.
void forget_data_of(const void* load);
// The process ends: tells of all that is kept.
void tell_end_of_data();

}  // namespace oriel
