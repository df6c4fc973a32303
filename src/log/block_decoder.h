// Decodes the blocks of a log one by one, in the order in which a BlockReader finds them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "log/block_reader.h"
#include "log/decoder.h"

namespace oriel::log {

class LogReader;
struct Cursor;

// Blocks that a reader knows of without decoding them (sample_index.h).
struct PassedBlocks {
  uint64_t blocks = 0;
  uint64_t raw_bytes = 0;  // with their headers, uncompressed ones too
  uint64_t unpacked = 0;   // by how much the contents of compressed ones are larger
};

class BlockDecoder {
 public:
  virtual ~BlockDecoder() = default;
  // Of a damaged block only names of ids, without which the rest of the file would be meaningless.
  virtual void decode(const FoundBlock& block) = 0;
  // Counts them like blocks that were decoded.
  virtual void pass_over(const PassedBlocks& blocks) = 0;
  // What became of the blocks so far. Bytes are the reader's to know.
  virtual const DecodeOutcome& outcome() const = 0;
};
std::unique_ptr<BlockDecoder> make_block_decoder(uint64_t version, EventSink& sink);

// The sentence about a block that could be decoded up to here only.
std::string damage_of(const BlockView& block, const Cursor& in);

// After the reader's last block: with what only the reader knows.
DecodeOutcome outcome_of(const LogReader& reader, const BlockDecoder& decoder);

// For BlockReader's problems.
inline auto holes_to(EventSink& sink) {
  return [&sink](uint64_t offset, const std::string& message) {
    sink.on_problem(offset, message);
    sink.on_hole();
  };
}

// After so many bytes a reader of a file tells its progress.
inline constexpr uint64_t kProgressStep = 4u << 20;

}  // namespace oriel::log
