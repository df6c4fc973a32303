// Appends whole blocks, with their headers, to bytes in memory.
#pragma once

#include <cstdint>
#include <new>

#include "log/encoder.h"
#include "log/framing.h"

namespace oriel::log {

// `encode` appends the contents to `out`. May throw std::bad_alloc, also if they are too long for a block, and what
// `encode` throws; the caller then takes away what was appended.
template <typename Encode>
void append_block(ByteBuffer& out, Block code, Encode encode) {
  const size_t start = out.size();
  out.commit(out.room(kBlockHeaderSize) + kBlockHeaderSize);
  encode();
  const size_t length = out.size() - start - kBlockHeaderSize;
  if (length > UINT32_MAX) throw std::bad_alloc();
  write_block_header(out.data() + start, code, static_cast<uint32_t>(length));
}

}  // namespace oriel::log
