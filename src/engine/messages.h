// Messages for the user, within the engine; what others call of it is in engine.h.
#pragma once

namespace oriel {

// Notes what stderr is: where the program has something else there later, nothing is written to it. Before the
// program's own code runs; until then, or never, whatever is there is it.
void remember_stderr();

// What profilers' own threads had to say waits for the engine's thread, as they may have no stderr: says it. On the
// engine's thread, and once it has ended, on the one that ends the process.
void tell_waiting();

// Whether the calling thread is a profiler's own (oriel_thread_attach_tools). Async-safe.
bool is_tool_thread();

}  // namespace oriel
