// Whether the runtime could compile a guest's body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/guests/bodies/default_bodies.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

// How many of the bodies, each based on the one before, the runtime could compile. Warns about the first that it would
// reject, with the guest, the method and the offset. If `before`, the body that they are based on, does not pass the
// check either, the check cannot judge them and all are accepted. Any thread that may ask for metadata.
size_t count_valid(ProfilerInfo& runtime, const MethodKey& key, std::span<const uint8_t> before,
                   std::span<const MadeBody> made);

// Warns that a guest gave something that is no body at all. The runtime does not get it.
void say_no_body(ProfilerInfo& runtime, const Guest& guest, const MethodKey& key);

}  // namespace oriel::coreclr
