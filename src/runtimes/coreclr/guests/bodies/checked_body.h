// Whether the runtime could compile a body that a guest made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/guests/bodies/default_bodies.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

// How many of the bodies, each on top of the one before, the runtime could compile; whose is the first that it would
// reject is said, with the method and the offset. One that no check of ours can judge is taken: that is so if `before`,
// what the method had before them, would not pass either. Any thread that may ask for metadata.
size_t count_sound(ProfilerInfo& runtime, const MethodKey& key, std::span<const uint8_t> before,
                   std::span<const MadeBody> made);

// A guest gave what is no body at all, which the runtime is not shown: says so.
void say_no_body(ProfilerInfo& runtime, const Guest& guest, const MethodKey& key);

}  // namespace oriel::coreclr
