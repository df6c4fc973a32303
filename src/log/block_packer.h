// Puts whole blocks into compressed blocks, before a writer writes them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "log/encoder.h"
#include "log/framing.h"

struct ZSTD_CCtx_s;

namespace oriel::log {

class BlockPacker {
 public:
  // Replaces blocks that follow one another by one compressed block, where that takes fewer bytes. Blocks of calls and
  // chunks of heap snapshots stay, as they have frames of their own, and so do those that a reader looks for by their
  // headers. `blocks` are whole blocks. May throw std::bad_alloc, and leaves them as they are then.
  void pack(ByteBuffer& blocks);

 private:
  struct Freed {
    void operator()(ZSTD_CCtx_s* compressor) const;
  };
  bool add_compressed(std::span<const uint8_t> run);

  std::unique_ptr<ZSTD_CCtx_s, Freed> compressor_;
  ByteBuffer packed_;  // kept for its memory
};

}  // namespace oriel::log
