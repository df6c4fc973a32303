// Decoding one block after another: what its fields are, and what the sink hears of them.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "log/decoder.h"
#include "log/event_decoder.h"

namespace oriel::log {

// A block in memory: its code, and what follows the header.
struct BlockView {
  Block code{};
  const uint8_t* data = nullptr;
  size_t size = 0;
  uint64_t offset = 0;  // of its header in the file
};

// Reads the header at `at`; false if it, or what it announces, is not there as a whole, or it cannot be a block.
bool read_block(const uint8_t* data, size_t size, size_t at, BlockView& block);

class BlockDecoder {
 public:
  BlockDecoder(EventSink& sink, uint64_t version, DecodeOutcome& outcome)
      : sink_(sink), version_(version), outcome_(outcome), events_(sink, version) {}

  // Decodes a whole block. One that makes no sense is told as a problem and counted as corrupt.
  void decode(const BlockView& block);

  // Decodes a block of a stretch whose hash is wrong: only what gives names to ids, without which the rest of the file
  // would mean nothing. Counts it as corrupt.
  void salvage(const BlockView& block);

 private:
  struct TellNodes;
  struct TellSamples;

  bool decode_known(const BlockView& block, Cursor& in);
  // Reads a record and tells it as it is.
  template <typename Record>
  bool plain(Cursor& in, void (EventSink::*tell)(const Record&));
  // Each kind of block: false if it makes no sense.
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc) bool name(const BlockView& block, Cursor& in);
#include "log/blocks.def"
  void unknown(const BlockView& block);

  EventSink& sink_;
  uint64_t version_;
  DecodeOutcome& outcome_;
  EventDecoder events_;
  uint64_t raw_bytes_ = 0;  // of blocks so far: no file needs more nodes than that
  bool inside_compressed_ = false;
  std::set<uint16_t> told_;  // unknown codes
};

}  // namespace oriel::log
