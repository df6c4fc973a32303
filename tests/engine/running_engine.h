// The engine of this test process, started on first use with one scripted runtime.
#pragma once

#include <functional>
#include <string>

#include "runtimes/scripted/player.h"

namespace oriel::test {

scripted::ScriptedRuntime& running_engine();

// Plays a script; fails the test with its message if it has an error.
void play(const std::string& text);

// The one profiler of this process that may own sampling.
oriel_profiler_handle sampling_owner();

// What is written to stderr while `body` runs, which is the engine's stderr as long.
std::string said_by(const std::function<void()>& body);

// Waits until the condition holds, a minute at most; whether it did.
bool eventually(const std::function<bool()>& condition);

}  // namespace oriel::test
