// A snapshot of Mono's heap: stops the program, copies the process, and goes on; then says in the engine's terms what
// the copy has found. Where no copy can be made, the program is stopped until its heap has been walked.
#pragma once

#include "engine/heap.h"
#include "engine/runtime.h"

namespace oriel::mono {

// Before Mono's collector starts.
void prepare_snapshots();

// As Runtime::snapshot. `runtime` finds methods. On a thread that may ask Mono.
Status take_snapshot(Runtime& runtime, const oriel_heap_visitor& visitor, OwnedHeap& heap);

}  // namespace oriel::mono
