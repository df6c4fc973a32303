// What a walk over Mono's heap has found, in the engine's terms: classes, fields, threads and methods instead of
// addresses.
#pragma once

#include "engine/heap.h"
#include "engine/heap/shared_heap.h"
#include "engine/runtime.h"
#include "runtimes/mono/heap/root_register.h"

namespace oriel::mono {

// Fills in everything but times. `roots` and `unloads` (unload::begun_so_far) are those before the program was stopped:
// if there have been more unloads, nothing is asked about classes that the engine does not know. On a thread that may
// ask.
void name_found(const FoundHeap& found, const RootRegister& roots, uint32_t unloads, Runtime& runtime, OwnedHeap& heap);

}  // namespace oriel::mono
