// FNV-1a as defined by its authors (Fowler, Noll, Vo) for 64 bits.
#pragma once

#include <cstdint>
#include <type_traits>

namespace oriel {

// For a range of integers, each as one unit. For bytes it is the standard hash. Async-safe.
template <typename Units>
constexpr uint64_t fnv1a(const Units& units) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const auto unit : units)
    hash = (hash ^ std::make_unsigned_t<std::remove_const_t<decltype(unit)>>(unit)) * 0x100000001b3;
  return hash;
}

}  // namespace oriel
