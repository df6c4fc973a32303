// Where blocks lie in the bytes of a log, whatever they hold: headers, check blocks with their hashes, and what the
// first block says of the log's version. Lengths are not trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "log/format.h"
#include "log/layout.h"

namespace oriel::log {

// A block in memory: its code, and the bytes after the header.
struct BlockView {
  Block code{};
  const uint8_t* data = nullptr;
  size_t size = 0;
  uint64_t offset = 0;  // of its header in the file
};

inline size_t end_of(const BlockView& block) { return block.offset + kBlockHeaderSize + block.size; }

// The version of the log that the bytes are, or an error that says what they are; `name` is the file's.
Result<uint64_t> read_version(const uint8_t* data, size_t size, const std::string& name);

// Stores the header of a block with `length` bytes behind it, kBlockHeaderSize bytes at `header`. Async-safe.
inline void write_block_header(uint8_t* header, Block code, uint32_t length) {
  header[0] = static_cast<uint8_t>(static_cast<unsigned>(code));
  header[1] = static_cast<uint8_t>(static_cast<unsigned>(code) >> 8);
  for (int i = 0; i < 4; ++i) header[2 + i] = static_cast<uint8_t>(length >> (8 * i));
}

// Reads the header at `at`; false if the header or the block is incomplete or invalid.
bool read_block(const uint8_t* data, size_t size, size_t at, BlockView& block);

// Finds the first check block after `at` by its marker alone, as any other byte may be damaged.
bool find_check(const uint8_t* data, size_t size, size_t at, BlockView& check);

// Whether the hash at the end of the check block matches the bytes from `start` to it.
bool matches(const uint8_t* data, size_t start, const BlockView& check);

// The sums of the blocks from `start` on, from the sums block that stands before the check block. False if there is
// none, it is damaged itself, or does not fit these bytes; then `sums` is not changed.
bool find_sums(const uint8_t* data, size_t start, const BlockView& check, std::vector<BlockSum>& sums);

// Whether the bytes at `at`, which reach that far, have that hash.
bool matches(const uint8_t* data, size_t at, const BlockSum& sum);

// Where a check block ends behind a damaged stretch, whose damage may be in its header.
size_t end_of_damaged(const uint8_t* data, size_t size, const BlockView& check);

}  // namespace oriel::log
