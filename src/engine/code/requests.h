// Requests by profilers to recompile single methods, or to revert their changes.
#pragma once

#include "oriel/code.h"

namespace oriel {

class Runtime;

// Whether the profiler reverted the method. Any thread.
bool is_reverted(const oriel_profiler_desc& profiler, const oriel_method* method);
// Called when the image is unloaded, after its flag is set.
void forget_reverts_in(const oriel_image& image);
// Recompiles the methods requested since the last call. On the engine's own thread.
void recompile_requested(Runtime& runtime);

}  // namespace oriel
