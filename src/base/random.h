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

}  // namespace oriel
