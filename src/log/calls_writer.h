// Makes calls blocks (calls_block.h): encodes the records, and compresses the streams if that is wanted.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "log/calls_encoder.h"
#include "log/encoder.h"

struct ZSTD_CCtx_s;

namespace oriel::log {

struct CallsOfThread {
  uint64_t thread = 0;
  uint64_t base = 0;
  std::span<const CallRecord> records;  // at most kMostCallRecords
  bool compressed = false;
};

class CallsWriter {
 public:
  // Appends the contents of a block to `out`, whose encoder it is. Returns the counter of the last record that has a
  // time. Throws std::bad_alloc.
  uint64_t write(const CallsOfThread& calls, const ClassSizes& sizes, Encoder& encoder, ByteBuffer& out);

 private:
  struct Freed {
    void operator()(ZSTD_CCtx_s* compressor) const;
  };
  using Bytes = std::span<const uint8_t>;

  // The stream as a zstd frame, or the stream itself where that is hardly longer.
  Bytes pack(Bytes stream, ByteBuffer& room);

  CallsEncoder encoder_;
  std::unique_ptr<ZSTD_CCtx_s, Freed> compressor_;  // made for the first frame
  ByteBuffer ops_, low_, more_;                     // frames
};

}  // namespace oriel::log
