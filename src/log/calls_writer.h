// Makes calls blocks (calls_block.h): encodes records, and compresses the streams if that is wanted.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "log/calls_encoder.h"
#include "log/encoder.h"

struct ZSTD_CCtx_s;

namespace oriel::log {

// All may throw std::bad_alloc.
class CallsWriter {
 public:
  // Opens a block.
  void begin(uint64_t thread, uint64_t base);
  // Puts records into the open block, and returns those for which it has no room.
  std::span<const CallRecord> add(std::span<const CallRecord> records, const ClassSizes& sizes, bool compressed);
  // Appends the open block's contents to `out`, whose encoder it is, and closes it.
  void end(Encoder& encoder, ByteBuffer& out);
  // The same as a whole block, with its header.
  void end_block(ByteBuffer& out);
  // Appends them as they are now, not compressed; the block stays open.
  void copy(Encoder& encoder, ByteBuffer& out);

  // The counter of the open block's last record that has a time.
  uint64_t last() const { return encoder_.last(); }
  bool is_open() const { return is_open_; }
  bool is_open_for(uint64_t thread) const { return is_open_ && thread == thread_; }
  // Of the open block, before it is compressed.
  size_t bytes() const { return is_open_ ? encoder_.streams().bytes() : 0; }

 private:
  struct Freed {
    void operator()(ZSTD_CCtx_s* compressor) const;
  };
  using Bytes = std::span<const uint8_t>;

  void write(Encoder& encoder, ByteBuffer& out, bool compressed);
  // The stream as a zstd frame, or the stream itself where that is hardly longer.
  Bytes pack(Bytes stream, ByteBuffer& room);

  CallsEncoder encoder_;
  uint64_t thread_ = 0, base_ = 0;
  bool is_open_ = false, compressed_ = false;
  std::unique_ptr<ZSTD_CCtx_s, Freed> compressor_;  // made for the first frame
  ByteBuffer ops_, low_, more_;                     // frames
};

}  // namespace oriel::log
