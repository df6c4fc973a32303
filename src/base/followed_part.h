// Selection of sampled objects to follow: a thinner sampling, in which larger objects are more likely.
#pragma once

#include <cstdint>

namespace oriel {

// Average bytes between sampled objects.
inline constexpr uint64_t kBytesToSample = 100 * 1024;

// Selects every `part`-th object by number, and all objects so large that the thinner sampling would likely meet them.
inline bool is_in_followed_part(uint64_t number, uint64_t size, uint64_t part) {
  return number % part == 0 || size / kBytesToSample >= part;
}

// How many sampled objects each selected one stands for.
inline uint64_t samples_in_part(uint64_t size, uint64_t part) { return size / kBytesToSample >= part ? 1 : part; }

}  // namespace oriel
