// The streams in chunks of a heap snapshot. All numbers are INTs (base/varint.h).
//
// A chunk of objects is three streams, one behind the other; before them, the lengths of the first two in bytes:
//   types    of each object, its type's number
//   gaps     of each object, how many words of 8 bytes lie between the end of the object before it and its start,
//            zigzag; the first object of a chunk: from address 0
//   lengths  of each object whose type has elements, how many
// A chunk of references is one stream: of each slot 0 for no reference, else the number of the object that it refers
// to, less the number of the object that it is in, zigzag, + 1.
// A chunk of values is one stream: each value, zigzag.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "log/heap_records.h"

namespace oriel::log {

// The maximum size of a chunk's streams.
inline constexpr uint64_t kMaxChunkBytes = 8u << 20;

constexpr uint64_t zigzag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
constexpr int64_t from_zigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

// Decompresses the chunk into `raw`, whose memory is used again. False if it is damaged, or larger than a chunk may be.
bool unpack(const HeapChunk& chunk, std::vector<uint8_t>& raw);

// The streams of a chunk of objects, valid as long as `raw`.
struct ObjectStreams {
  std::span<const uint8_t> types;
  std::span<const uint8_t> gaps;
  std::span<const uint8_t> lengths;
};
// False if they are not in `raw`.
bool split(std::span<const uint8_t> raw, ObjectStreams& streams);

}  // namespace oriel::log
