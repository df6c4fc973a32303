// Why CoreCLR does not tell of an event: a sentence for a person, with what to do.
#pragma once

#include <cstdint>

namespace oriel::coreclr {

// Of what is asked for at the start (event_mask.h) and was not.
inline constexpr const char* kAskedTooLate =
    "roots, handles and finalizable objects are told only to who asks before the program's code runs: set the callback "
    "in oriel_init_NAME";

// Of what no version of the runtime tells; nullptr of other events. Async-safe.
const char* never_told(uint32_t event);

}  // namespace oriel::coreclr
