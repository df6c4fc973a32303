// Compressed blocks: complete blocks inside a zstd frame (block_packer.h makes them).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace oriel::log {

// The maximum size of a compressed block's contents, and the maximum compression ratio.
inline constexpr uint64_t kMaxRawSize = 16u << 20;
inline constexpr uint64_t kMaxRatio = 64;

// The frame's `raw_size` bytes, or nullptr if it is damaged, has another size or too large a one.
std::unique_ptr<uint8_t[]> decompress(const uint8_t* frame, size_t size, uint64_t raw_size);

}  // namespace oriel::log
