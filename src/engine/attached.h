// The engine in a program that runs already: a tool attaches it, and it leaves again (docs/design/attach.md).
//
// A thread of the engine's, "oriel-attach", starts the engine and the modules, and then the control server
// (control/server.h), by which the tool asks how it goes (`watch`) and has everything ended (`detach`). The engine
// leaves by itself when the tool's connection ends, or if none comes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/process/attach_data.h"
#include "base/status.h"
#include "engine/runtime.h"

namespace oriel {

// Called when the runtime is about to take the engine in. `runtime` must live until engine_detached. False if the
// engine is in the process already, or there can be no thread.
bool engine_attach(Runtime& runtime, const AttachData& data);
// The runtime has taken the engine in: it calls back, and may be asked.
void engine_attached();
// The runtime has let go of the engine: it neither calls back nor may be asked. The adapter has had forgotten by now
// what may go without notice (after_unload, forget_without_image).
void engine_detached();

// The runtime has stopped the program's threads for so long, in nanoseconds: for itself or for Oriel, not to collect.
// Any thread; async-safe.
void engine_stopped_program(uint64_t ns);

namespace attached {

// For the control server, on its thread.

// Whether the engine came by a tool, and has not ended for it yet.
bool is_here();
// The attachment's number; each gets another. 0: the engine came with the program.
uint32_t number();
// Everything is on, or why nothing is; waits for it. The calling client is the tool: once it is gone, the engine
// leaves, unless another attachment has begun since.
Status watch();
void tool_is_gone(uint32_t attachment);
// For how long the runtime stopped the program's threads until everything was on, in nanoseconds; nullopt if that was
// not listened to, or not everything is on.
std::optional<uint64_t> stopped_program();
// Ends everything and has the runtime let go of the engine; ok when that is so. The error says why the engine stays, in
// which case it does nothing any more, or that the runtime has not let go within 50 s.
Status detach();
// A tool attaches an engine that has stayed: it begins anew, with these modules. The error says why it cannot.
Status again(const std::string& profilers, bool changes_code);
// Whether the engine has stayed, and does nothing.
bool is_asleep();
// Whether the runtime has let go: there is nothing left to control. And how long ago.
bool has_left();
std::chrono::milliseconds left_ago();

// The process begins to end: nobody waits for the runtime or a tool any more.
void wake();
// At the process's end: waits until the tool has taken what was said last, but no longer than 0.5 s.
void process_ends();

}  // namespace attached

}  // namespace oriel
