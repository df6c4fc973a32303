// Data that profilers attach to the runtime's things (oriel/code.h).
#pragma once

#include "engine/things/entities.h"

namespace oriel {

// Call when the thing is unloaded, after its flag is set: passes attached data to the profilers' callbacks. Without a
// lock.
void release_data_of(const Entity& thing);
// Drops the data of a module that declined to start, without callbacks.
void forget_data_of(const void* load);
// At the process's end: passes all data to the callbacks.
void release_all_data();

}  // namespace oriel
