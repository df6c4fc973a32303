// Numbers that look random, for sampling: xorshift64.
#pragma once

#include <cstdint>

namespace oriel {

// The next number after `state`, which must not be 0 and is replaced. Async-safe.
inline uint64_t next_random(uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// The next number above 0 and up to 1, likewise.
inline double next_uniform(uint64_t& state) {
  constexpr double kBits53 = 9007199254740992.0;
  return (static_cast<double>(next_random(state) >> 11) + 1) / kBits53;
}

}  // namespace oriel
