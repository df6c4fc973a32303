// The script's actions without blocks. Words have been substituted.
#pragma once

#include "runtimes/scripted/player.h"

namespace oriel::scripted {

Status load_thing(ScriptedRuntime& runtime, const Action& action);    // domain, assembly, image, class, method
Status unload_thing(ScriptedRuntime& runtime, const Action& action);  // unload
Status compile(ScriptedRuntime& runtime, const Action& action);       // jit, precompiled
Status free_code(ScriptedRuntime& runtime, const Action& action);     // free
Status throw_exception(ScriptedRuntime& runtime, const Action& action);
Status collect(ScriptedRuntime& runtime, const Action& action);  // gc
Status run_methods(ScriptedRuntime& runtime, const Action& action);
Status resolve(ScriptedRuntime& runtime, const Action& action);
Status ask_whether_trivial(ScriptedRuntime& runtime, const Action& action);
void spin(uint64_t milliseconds);

// An option as a number, decimal or 0x…; `fallback` without the option; an error if it is not a number.
Result<uint64_t> number_of(const Action& action, const std::string& key, uint64_t fallback);
Status error_of(const Action& action, const std::string& what);
Result<Thing*> need(ScriptedRuntime& runtime, const Action& action, Kind kind, const std::string& name);

}  // namespace oriel::scripted
