// Why CoreCLR does not report an event: a sentence for a person, with what to do.
#pragma once

#include <cstdint>

namespace oriel::coreclr {

// The reason for events that must be requested at start-up (event_mask.h) and were not.
inline constexpr const char* kRequestedTooLate =
    "roots, handles and finalizable objects are reported only if requested before the program's code runs: set the "
    "callback in oriel_init_NAME";

// The reason for events that no version of the runtime reports; nullptr for other events. Async-safe.
const char* why_unavailable(uint32_t event);

}  // namespace oriel::coreclr
