#include "log/compressed.h"

#include <zstd.h>

namespace oriel::log {

std::unique_ptr<uint8_t[]> decompress(const uint8_t* frame, size_t size, uint64_t raw_size) {
  if (raw_size > kMaxRawSize || raw_size / kMaxRatio > size) return nullptr;
  auto raw = std::make_unique_for_overwrite<uint8_t[]>(raw_size);
  const size_t got = ZSTD_decompress(raw.get(), raw_size, frame, size);
  if (ZSTD_isError(got) || got != raw_size) return nullptr;
  return raw;
}

}  // namespace oriel::log
