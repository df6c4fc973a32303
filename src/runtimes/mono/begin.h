// Mono loads Oriel as one of its profilers.
#pragma once

namespace oriel::mono {

// Starts the engine in this process, if it is one to profile. `caller` is an address in Mono. Never throws.
void begin(const void* caller) noexcept;

}  // namespace oriel::mono
