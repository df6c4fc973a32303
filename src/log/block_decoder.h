// Decodes the blocks of a log one by one, in the order in which a BlockReader finds them.
#pragma once

#include <cstdint>
#include <memory>

#include "log/block_reader.h"
#include "log/decoder.h"

namespace oriel::log {

class BlockDecoder {
 public:
  virtual ~BlockDecoder() = default;
  // Of a damaged block only names of ids, without which the rest of the file would be meaningless.
  virtual void decode(const FoundBlock& block) = 0;
  // What became of the blocks so far. Bytes are the reader's to know.
  virtual const DecodeOutcome& outcome() const = 0;
};
std::unique_ptr<BlockDecoder> make_block_decoder(uint64_t version, EventSink& sink);

}  // namespace oriel::log
