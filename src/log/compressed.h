// Compressed blocks: whole blocks within a zstd frame. Only readers: what Debian offers of zstd cannot be linked into a
// library that a program loads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace oriel::log {

// The most that one compressed block may hold, and the most bytes that a byte of it may become.
inline constexpr uint64_t kMaxRawSize = 16u << 20;
inline constexpr uint64_t kMaxRatio = 64;

// The `raw_size` bytes that the frame holds, or nullptr if it is damaged, holds another number of bytes or too many.
std::unique_ptr<uint8_t[]> decompress(const uint8_t* frame, size_t size, uint64_t raw_size);

}  // namespace oriel::log
