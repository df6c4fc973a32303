#include "log/heap_chunk.h"

#include <zstd.h>

#include "base/varint.h"

namespace oriel::log {

bool unpack(const HeapChunk& chunk, std::vector<uint8_t>& raw) {
  // A number takes a byte at least, and zstd makes no less than a byte of some 30,000.
  if (chunk.raw_size > kMaxChunkBytes || chunk.raw_size < chunk.count || chunk.raw_size >> 15 > chunk.frame.size())
    return false;
  raw.resize(chunk.raw_size);
  const size_t got = ZSTD_decompress(raw.data(), raw.size(), chunk.frame.data(), chunk.frame.size());
  return !ZSTD_isError(got) && got == raw.size();
}

bool split(std::span<const uint8_t> raw, ObjectStreams& streams) {
  uint64_t types = 0, gaps = 0;
  const uint8_t* at = raw.data();
  const uint8_t* const end = at + raw.size();
  if ((at = read_varint(at, end, types)) == nullptr || (at = read_varint(at, end, gaps)) == nullptr) return false;
  const auto left = static_cast<uint64_t>(end - at);
  if (types > left || gaps > left - types) return false;
  streams.types = {at, types};
  streams.gaps = {at + types, gaps};
  streams.lengths = {at + types + gaps, left - types - gaps};
  return true;
}

}  // namespace oriel::log
