// Decodes single blocks: reads their fields and calls the sink.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "log/decoder.h"
#include "log/event_stream.h"

namespace oriel::log {

// A block in memory: its code, and the bytes after the header.
struct BlockView {
  Block code{};
  const uint8_t* data = nullptr;
  size_t size = 0;
  uint64_t offset = 0;  // of its header in the file
};

// Reads the header at `at`; false if the header or the block is incomplete or invalid.
bool read_block(const uint8_t* data, size_t size, size_t at, BlockView& block);

class BlockDecoder {
 public:
  BlockDecoder(EventSink& sink, uint64_t version, DecodeOutcome& outcome)
      : sink_(sink), version_(version), outcome_(outcome), events_(sink, version) {}

  // Decodes a complete block. An invalid one is reported as a problem and counted as corrupt.
  void decode(const BlockView& block);

  // Decodes a block in a stretch with a wrong hash: only names of ids, without which the rest of the file would be
  // meaningless. Counts it as corrupt.
  void salvage(const BlockView& block);

 private:
  bool decode_known(const BlockView& block, Cursor& in);
  // Reads a record and passes it on unchanged.
  template <typename Record>
  bool plain(Cursor& in, void (EventSink::*tell)(const Record&));
  // For each kind of block: false if it is invalid.
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc) bool name(const BlockView& block, Cursor& in);
#include "log/blocks.def"
  void unknown(const BlockView& block);

  EventSink& sink_;
  uint64_t version_;
  DecodeOutcome& outcome_;
  EventDecoder events_;
  uint64_t raw_bytes_ = 0;  // of blocks so far; no valid file has more nodes
  bool inside_compressed_ = false;
  std::set<uint16_t> told_;  // reported unknown codes
};

}  // namespace oriel::log
