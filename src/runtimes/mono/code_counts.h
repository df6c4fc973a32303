// Coverage. Mono itself counts how often each block of a method runs, in methods that it was asked to count as it
// compiled them. Its counts never start again, so what is new since the last look is passed on
// (engine/hits/runtime_counts.h).
#pragma once

#include "oriel/oriel.h"
#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

// Mono asks for each method that it compiles or would inline, if coverage was asked for before the program's start.
Bool choose_coverage(MonoProfiler*, MonoMethod* method);

// Mono is about to compile the method: again, if another domain needs code of its own. Then it counts anew and keeps
// what it counted before to itself, so that is passed on now. What the earlier code still runs is lost.
void collect_before_compilation(const oriel_method& method);

// Mono has compiled the method, and what it counted is of the new code alone.
void counts_begin(MonoMethod* method);

// As Runtime::collect_counts. On a thread that may ask (functions.h).
void collect_counts(const oriel_method* method);

// The image is about to go: passes on what was counted in it, or in instances that are made of its types, and asks
// about those no more. On the thread that unloads it, before it waits for others' questions (unload_gate.h).
void collect_last_counts(MonoImage* image);

}  // namespace oriel::mono
