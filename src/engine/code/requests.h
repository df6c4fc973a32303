// Single methods whose code profilers want made anew, or without their changes.
#pragma once

#include "oriel/code.h"

namespace oriel {

class Runtime;

// Whether the profiler has taken its rewriter out of the method. Any thread.
bool is_reverted(const oriel_profiler_desc& profiler, const oriel_method* method);
// The image is unloaded, and says so.
void forget_reverts_in(const oriel_image& image);
// Has those made anew that were asked for since it was last called. On the engine's own thread.
void make_requested_anew(Runtime& runtime);

}  // namespace oriel
