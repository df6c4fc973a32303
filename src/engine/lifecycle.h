// The engine's start and end, and what everything in it asks about them.
#pragma once

#include "engine/runtime.h"

namespace oriel {

// The runtime that started the engine, nullptr before. Any thread; async-safe.
Runtime* current_runtime();

// The runtime while it may be asked for methods and names: until the cleanup callbacks have run, and not in the child
// of a fork. nullptr otherwise. Any thread; async-safe.
Runtime* runtime_to_ask();

// Whether engine_stop has begun, or this is the child of a fork, in which the engine does nothing. Async-safe.
bool is_ending();

}  // namespace oriel
