// Which sampled objects are followed where that is a part of them: as if fewer had been sampled, the larger the
// likelier.
#pragma once

#include <cstdint>

namespace oriel {

// Bytes from a sampled one to the next, on average.
inline constexpr uint64_t kBytesToSample = 100 * 1024;

// Of `part` objects one is, by its number; but all that so many samples would be likely to meet.
inline bool is_in_part(uint64_t number, uint64_t size, uint64_t part) {
  return number % part == 0 || size / kBytesToSample >= part;
}

// How many of the sampled objects each of those stands for.
inline uint64_t samples_in_part(uint64_t size, uint64_t part) { return size / kBytesToSample >= part ? 1 : part; }

}  // namespace oriel
