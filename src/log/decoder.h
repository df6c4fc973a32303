// Decoding a log: block reader → decoder → sink. Never trusts a length, an id or a count.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "log/sink.h"

namespace oriel::log {

struct DecodeOutcome {
  uint64_t bytes = 0;           // of the file
  uint64_t blocks = 0;          // whole blocks decoded
  bool ended = false;           // an end block was there: the program ended and the log is complete
  uint64_t torn_bytes = 0;      // at the end, after the last whole block
  uint64_t corrupt_blocks = 0;  // skipped: what they held is lost
};

// Decodes the file from its start to the last whole block; works on a file that is still being written. An error only
// if nothing can be read: no such file, no permission, not an Oriel log, a version this reader does not know.
// `progress` (may be empty) hears bytes read and bytes in all, now and then.
Result<DecodeOutcome> decode_file(const std::string& path, EventSink& sink,
                                  const std::function<void(uint64_t, uint64_t)>& progress = {});

// The same over bytes in memory.
Result<DecodeOutcome> decode_bytes(const uint8_t* data, size_t size, EventSink& sink);

}  // namespace oriel::log
