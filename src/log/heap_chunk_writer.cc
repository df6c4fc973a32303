#include "log/heap_chunk_writer.h"

#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "log/framing.h"
#include "log/write_all.h"

namespace oriel::log {
namespace {

constexpr int kLevel = 1;

constexpr size_t aligned(size_t bytes) { return (bytes + 63) & ~size_t{63}; }

// The largest that a chunk's streams can become, and where they lie.
struct Sizes {
  size_t stream, references, values, raw, block, compressor;
  Sizes(uint64_t objects, uint64_t slots, uint64_t value_count)
      : stream(aligned(objects * kMaxVarintBytes)),
        references(aligned(slots * kMaxVarintBytes)),
        values(aligned(value_count * kMaxVarintBytes)),
        raw(2 * kMaxVarintBytes + 3 * stream),
        block(
            aligned(kBlockHeaderSize + 4 * kMaxVarintBytes + ZSTD_compressBound(std::max({raw, references, values})))),
        compressor(aligned(ZSTD_estimateCCtxSize(kLevel))) {}
  size_t all() const {
    return compressor + block + aligned(2 * kMaxVarintBytes) + 3 * stream + references + values + 64;
  }
};

}  // namespace

size_t HeapChunkWriter::memory_bytes() { return Sizes(kMostObjects, kMostSlots, kMostValues).all(); }

HeapChunkWriter::HeapChunkWriter(void* memory, int file, uint64_t snapshot) : file_(file), snapshot_(snapshot) {
  const Sizes sizes(kMostObjects, kMostSlots, kMostValues);
  auto* at = reinterpret_cast<uint8_t*>(aligned(reinterpret_cast<uintptr_t>(memory)));
  const auto take = [&](size_t bytes) { return std::exchange(at, at + bytes); };
  compressor_ = ZSTD_initStaticCCtx(take(sizes.compressor), sizes.compressor);
  block_ = take(sizes.block);
  head_ = take(aligned(2 * kMaxVarintBytes));
  for (Stream* stream : {&types_, &gaps_, &lengths_}) stream->begin = stream->end = take(sizes.stream);
  references_.begin = references_.end = take(sizes.references);
  values_.begin = values_.end = take(sizes.values);
}

void HeapChunkWriter::end_objects() {
  if (objects_ == 0) return;
  // The head ends where the types begin; the other streams move up to them.
  uint8_t lengths[2 * kMaxVarintBytes];
  const uint8_t* const lengths_end = write_varint(write_varint(lengths, types_.size()), gaps_.size());
  const auto head = static_cast<size_t>(lengths_end - lengths);
  uint8_t* const raw = types_.begin - head;
  std::memcpy(raw, lengths, head);
  uint8_t* end = types_.end;
  for (const Stream& stream : {gaps_, lengths_}) {
    std::memmove(end, stream.begin, stream.size());
    end += stream.size();
  }
  write(Block::kHeapObjects, first_object_, objects_, raw, static_cast<size_t>(end - raw));
  for (Stream* stream : {&types_, &gaps_, &lengths_}) stream->end = stream->begin;
  first_object_ += std::exchange(objects_, 0);
}

void HeapChunkWriter::end_slots() {
  if (slots_ == 0) return;
  write(Block::kHeapReferences, first_slot_, slots_, references_.begin, references_.size());
  references_.end = references_.begin;
  first_slot_ += std::exchange(slots_, 0);
}

void HeapChunkWriter::end_values() {
  if (value_count_ == 0) return;
  write(Block::kHeapValues, first_value_, value_count_, values_.begin, values_.size());
  values_.end = values_.begin;
  first_value_ += std::exchange(value_count_, 0);
}

void HeapChunkWriter::write(Block code, uint64_t first, uint64_t count, const uint8_t* raw, size_t size) {
  if (error_ != 0) return;
  uint8_t* at = block_ + kBlockHeaderSize;
  for (const uint64_t value : {snapshot_, first, count, uint64_t{size}}) at = write_varint(at, value);
  auto* const compressor = static_cast<ZSTD_CCtx*>(compressor_);
  const size_t got =
      compressor == nullptr ? 0 : ZSTD_compressCCtx(compressor, at, ZSTD_compressBound(size), raw, size, kLevel);
  if (got == 0 || ZSTD_isError(got)) {
    error_ = ENOMEM;
    return;
  }
  at += got;
  write_block_header(block_, code, static_cast<uint32_t>(at - block_ - kBlockHeaderSize));
  error_ = write_all(file_, block_, static_cast<size_t>(at - block_));
  written_ += static_cast<uint64_t>(at - block_);
}

}  // namespace oriel::log
