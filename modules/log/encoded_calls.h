// A thread's calls as blocks of the log that the thread itself made, because the log's writer has more to do than it
// can. So as many threads as there are processors write, and the one writer only copies their blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "log/calls_writer.h"
#include "log/class_sizes.h"
#include "log/encoder.h"

namespace oriel::log_module {

// One whole block.
struct EncodedCalls {
  std::vector<uint8_t> block;
  std::vector<uint32_t> methods;  // that it names, each at least once
};

// Of one thread; not thread-safe.
class CallsOfThread {
 public:
  // Throws std::bad_alloc.
  explicit CallsOfThread(uint32_t thread);
  ~CallsOfThread() { forget_blocks(); }
  CallsOfThread(const CallsOfThread&) = delete;
  CallsOfThread& operator=(const CallsOfThread&) = delete;

  // Where records are to be taken into: room for those of a chunk.
  std::vector<log::CallRecord>& records() { return records_; }
  // Adds records() to the open block, or to further ones; `base` as of a block. Allocations are left out, as only the
  // writer knows their classes; returns how many there were. Throws std::bad_alloc.
  size_t add(uint64_t base);
  // Ends the open block: records that follow elsewhere come after it. Throws std::bad_alloc.
  void close();

  // The whole blocks, oldest first. Their memory counts as that of chunks (call_chunks.h).
  const std::vector<EncodedCalls>& blocks() const { return blocks_; }
  void forget_blocks();

 private:
  void need(std::span<const log::CallRecord> records);

  const uint32_t thread_;
  log::CallsWriter calls_;
  const log::ClassSizes no_sizes_;
  log::ByteBuffer made_;  // kept for its memory
  std::vector<log::CallRecord> records_;
  std::vector<bool> known_;  // methods of the open block
  std::vector<uint32_t> methods_;
  std::vector<EncodedCalls> blocks_;
};

}  // namespace oriel::log_module
