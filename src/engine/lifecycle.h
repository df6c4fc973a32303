// The engine's start and end, and their state.
#pragma once

#include <string>

#include "base/status.h"
#include "engine/runtime.h"

namespace oriel {

// Starts the engine for a runtime that runs already, and these modules (as in ORIEL_PROFILERS). After an error, as
// after success, engine_leave ends what was started. These two are called by one thread, one after the other.
Status engine_begin(Runtime& runtime, const std::string& profilers);
// Ends the modules and everything that the runtime does for the engine, and asks it nothing any more. An error if some
// of it does not end in time: then the runtime must keep the engine.
Status engine_leave();
// The runtime has let go of the engine, which may begin anew with another.
void forget_runtime();

// The runtime that started the engine, nullptr before. Any thread; async-safe.
Runtime* current_runtime();

// The runtime while it may be asked for methods and names: until the cleanup callbacks have run, and not in a forked
// child. nullptr otherwise. Any thread; async-safe.
Runtime* runtime_to_ask();

// Whether engine_stop has begun, or this is a forked child, in which the engine does nothing. Async-safe.
bool is_ending();

}  // namespace oriel
