// What a fuzzer need not find by itself: a whole frame of zstd.
#pragma once

#include <zstd.h>

#include <cstdint>
#include <span>
#include <vector>

namespace oriel::fuzz {

inline std::vector<uint8_t> frame_of(std::span<const uint8_t> bytes) {
  std::vector<uint8_t> frame(ZSTD_compressBound(bytes.size()));
  frame.resize(ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), 1));
  return frame;
}

}  // namespace oriel::fuzz
