// Decodes a log: block reader → decoder → sink. Lengths, ids and counts are not trusted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "log/sink.h"

namespace oriel::log {

struct DecodeOutcome {
  uint64_t bytes = 0;           // of the file
  uint64_t blocks = 0;          // complete blocks decoded
  bool ended = false;           // there was an end block: the program ended and the log is complete
  uint64_t torn_bytes = 0;      // at the end, after the last complete block
  uint64_t corrupt_blocks = 0;  // skipped: their contents are lost
};

// Decodes the file from its start to the last complete block; works on a file that is still being written. Fails only
// if nothing can be read: no such file, no permission, not an Oriel log, an unknown version. `progress` (may be empty)
// is called now and then with bytes read and total bytes.
Result<DecodeOutcome> decode_file(const std::string& path, EventSink& sink,
                                  const std::function<void(uint64_t, uint64_t)>& progress = {});

// Likewise for bytes in memory.
Result<DecodeOutcome> decode_bytes(const uint8_t* data, size_t size, EventSink& sink);

}  // namespace oriel::log
