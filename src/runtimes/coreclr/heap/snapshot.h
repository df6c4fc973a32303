// A snapshot of CoreCLR's heap: stops the program, copies the process, and goes on; then says in the engine's terms
// what the copy has found. Where no copy can be made, the program is stopped until its heap has been walked.
#pragma once

#include "engine/heap.h"
#include "engine/runtime.h"
#include "runtimes/coreclr/names/class_text.h"

namespace oriel::coreclr {

// As Runtime::snapshot. `runtime` finds methods.
Status take_snapshot(const Names& names, Runtime& runtime, const oriel_heap_visitor& visitor, OwnedHeap& heap);

}  // namespace oriel::coreclr
