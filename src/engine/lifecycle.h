// The engine's start and end, and their state.
#pragma once

#include "engine/runtime.h"

namespace oriel {

// The runtime that started the engine, nullptr before. Any thread; async-safe.
Runtime* current_runtime();

// The runtime while it may be asked for methods and names: until the cleanup callbacks have run, and not in a forked
// child. nullptr otherwise. Any thread; async-safe.
Runtime* runtime_to_ask();

// Whether engine_stop has begun, or this is a forked child, in which the engine does nothing. Async-safe.
bool is_ending();

}  // namespace oriel
