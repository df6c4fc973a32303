// What .gcdump files are made of, for reading and writing: the serialization of PerfView's FastSerialization. Numbers
// are little endian; objects stand between tags, with the name and version of their class before their fields.
#pragma once

#include <cstdint>

namespace oriel::heap {

inline constexpr char kFastSignature[] = "!FastSerialization.1";

enum class FastTag : uint8_t {
  kNull = 1,
  kReference = 2,
  kBeginObject = 4,
  kEndObject = 6,
  kByte = 8,
  kSkipRegion = 12,
  kText = 13,
};

// Times are in ticks of 100 ns since the year 1; this is the year 1970.
inline constexpr uint64_t kTicksOfUnixEpoch = 621'355'968'000'000'000;

}  // namespace oriel::heap
