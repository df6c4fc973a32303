// FNV-1a, as its authors (Fowler, Noll, Vo) define it for 64 bits.
#pragma once

#include <cstdint>
#include <type_traits>

namespace oriel {

// Of a range of integers, each taken as one unit. Of bytes it is the hash that others compute. Async-safe.
template <typename Units>
constexpr uint64_t fnv1a(const Units& units) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const auto unit : units)
    hash = (hash ^ std::make_unsigned_t<std::remove_const_t<decltype(unit)>>(unit)) * 0x100000001b3;
  return hash;
}

}  // namespace oriel
