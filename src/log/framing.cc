#include "log/framing.h"

#include <algorithm>
#include <cstring>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "log/field_reader.h"

namespace oriel::log {
namespace {

// An intro contains a program and its arguments: a larger one is invalid.
constexpr size_t kMaxIntro = 16u << 20;

// The first place from `from` on with the eight bytes of the marker; nullptr if there is none.
const uint8_t* find_marker(uint64_t marker, const uint8_t* from, const uint8_t* end) {
  uint8_t bytes[sizeof marker];
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<uint8_t>(marker >> (8 * i));
  return static_cast<const uint8_t*>(memmem(from, static_cast<size_t>(end - from), bytes, sizeof bytes));
}

// Reads the sums in the bytes from a marker up to a check block, for blocks of `size` bytes in all.
bool read_sums(const uint8_t* at, const uint8_t* end, size_t size, SumsBlock& sums) {
  Cursor in{at, end};
  if (!read_record(in, kVersion2, sums) || in.at != end) return false;
  if (XXH64(at, static_cast<size_t>(end - at) - sizeof sums.hash, 0) != sums.hash) return false;
  for (const BlockSum& sum : sums.blocks) {
    if (sum.size < kBlockHeaderSize || sum.size > size) return false;
    size -= sum.size;
  }
  return size == 0;
}

// Reads a check block whose contents begin at `data`: bounded by its header or, if that is damaged, by its fields.
// False if it is incomplete.
bool read_check(const uint8_t* data, size_t size, size_t at, BlockView& check) {
  constexpr size_t kLeast = 2 * sizeof(uint64_t) + 1;
  if (read_block(data, size, at - kBlockHeaderSize, check) && check.size >= kLeast) return true;
  Cursor in{data + at, data + size};
  CheckBlock contents;
  if (!read_record(in, kVersion2, contents)) return false;
  check = {Block::kCheck, data + at, static_cast<size_t>(in.at - data) - at, at - kBlockHeaderSize};
  return true;
}

}  // namespace

Result<uint64_t> read_version(const uint8_t* data, size_t size, const std::string& name) {
  const Status foreign = Status::error("not an Oriel log: " + name);
  if (size == 0) return Status::error("empty file, not an Oriel log yet: " + name);
  const uint8_t code[] = {static_cast<uint8_t>(Block::kIntro), 0};
  if (std::memcmp(data, code, std::min(size, sizeof code)) != 0) return foreign;
  const Status cut = Status::error("an Oriel log cut off in its intro, after " + std::to_string(size) +
                                   " bytes; there is nothing to read in it: " + name);
  if (size < kBlockHeaderSize) return cut;
  size_t length = 0;
  for (int i = 0; i < 4; ++i) length |= static_cast<size_t>(data[2 + i]) << (8 * i);
  if (length > kMaxIntro) return foreign;
  Cursor in{data + kBlockHeaderSize, data + kBlockHeaderSize + std::min(length, size - kBlockHeaderSize)};
  uint64_t version = 0;
  if (in.left() == 0 && length != 0) return cut;
  if (!in.integer(version) || version == 0) return foreign;
  if (version != kVersion1 && version != kVersion2) {
    return Status::error("an Oriel log of version " + std::to_string(version) +
                         ", but this oriel reads versions 1 and 2; use a newer one: " + name);
  }
  if (length > size - kBlockHeaderSize) return cut;
  return version;
}

bool read_block(const uint8_t* data, size_t size, size_t at, BlockView& block) {
  if (at > size || size - at < kBlockHeaderSize) return false;
  const uint8_t* header = data + at;
  const auto code = static_cast<uint16_t>(header[0] | header[1] << 8);
  uint64_t length = 0;
  for (int i = 0; i < 4; ++i) length |= static_cast<uint64_t>(header[2 + i]) << (8 * i);
  if (code == 0 || length > size - at - kBlockHeaderSize) return false;
  block = {static_cast<Block>(code), header + kBlockHeaderSize, static_cast<size_t>(length), at};
  return true;
}

bool find_check(const uint8_t* data, size_t size, size_t at, BlockView& check) {
  for (size_t from = at + kBlockHeaderSize; from < size;) {
    const uint8_t* const found = find_marker(kCheckMarker, data + from, data + size);
    if (found == nullptr) return false;
    const auto where = static_cast<size_t>(found - data);
    if (read_check(data, size, where, check)) return true;
    from = where + 1;
  }
  return false;
}

bool matches(const uint8_t* data, size_t start, const BlockView& check) {
  const uint8_t* field = check.data + check.size - sizeof(uint64_t);
  uint64_t hash = 0;
  for (int i = 0; i < 8; ++i) hash |= static_cast<uint64_t>(field[i]) << (8 * i);
  return XXH64(data + start, static_cast<size_t>(field - data) - start, 0) == hash;
}

bool find_sums(const uint8_t* data, size_t start, const BlockView& check, std::vector<BlockSum>& sums) {
  const uint8_t* const end = data + check.offset;
  const uint8_t* from = data + start + kBlockHeaderSize;
  constexpr int kTries = 16;  // other blocks do not hold the marker, but in a log that is made to
  for (int i = 0; i < kTries && from < end && (from = find_marker(kSumsMarker, from, end)) != nullptr; ++i, ++from) {
    const auto blocks = static_cast<size_t>(from - data) - kBlockHeaderSize - start;
    SumsBlock found;
    if (read_sums(from, end, blocks, found)) {
      sums = std::move(found.blocks);
      return true;
    }
  }
  return false;
}

bool matches(const uint8_t* data, size_t at, const BlockSum& sum) { return XXH64(data + at, sum.size, 0) == sum.hash; }

// As in its header if a block follows there; otherwise its length is damaged, and its fields give the end.
size_t end_of_damaged(const uint8_t* data, size_t size, const BlockView& check) {
  BlockView next;
  const bool follows = read_block(data, size, end_of(check), next) && next.code <= kLastBlock;
  Cursor in{check.data, data + size};
  CheckBlock contents;
  if (follows || end_of(check) == size || !read_record(in, kVersion2, contents)) return end_of(check);
  return static_cast<size_t>(in.at - data);
}

}  // namespace oriel::log
