// What the copy of a process has found, in the engine's terms: classes, fields, threads and methods instead of
// addresses.
#pragma once

#include "engine/heap.h"
#include "engine/runtime.h"
#include "runtimes/coreclr/heap/shared_heap.h"
#include "runtimes/coreclr/names/class_text.h"

namespace oriel::coreclr {

// Fills in everything but times and spaces. `unloads` is Held::unloads_begun before the program was stopped: if more
// have begun, nothing is asked about types that the engine does not know.
void name_found(const Names& names, Runtime& runtime, const FoundHeap& found, uint32_t unloads, OwnedHeap& heap);

}  // namespace oriel::coreclr
