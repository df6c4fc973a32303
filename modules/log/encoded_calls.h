// A thread's calls as blocks of the log that the thread itself made, because the log's writer has more to do than it
// can. So as many threads as there are processors write, and the one writer only copies their blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "call_buffer.h"
#include "log/calls_writer.h"
#include "log/class_sizes.h"
#include "log/encoder.h"

namespace oriel::log_module {

// One whole block.
struct EncodedCalls {
  std::vector<uint8_t> block;
  std::vector<uint32_t> methods;  // that it names, each at least once
};

// Of one thread; not thread-safe. Without memory records are lost, which take_lost() and the block after them tell.
// All its memory counts as that of chunks (call_chunks.h).
class CallsOfThread {
 public:
  // nullptr without memory.
  static std::unique_ptr<CallsOfThread> make(uint32_t thread);
  ~CallsOfThread();
  CallsOfThread(const CallsOfThread&) = delete;
  CallsOfThread& operator=(const CallsOfThread&) = delete;

  // Where records are to be taken into: room for those of a chunk.
  std::vector<log::CallRecord>& records() { return records_; }
  // Adds records() to the open block, or begins one, whose base is `base`. Allocations are lost, as only the writer
  // knows their classes.
  void add(uint64_t base);
  // Ends the open block: records that follow elsewhere come after it.
  void close();
  // What was lost since the last call.
  LostCalls take_lost();

  // The whole blocks, oldest first.
  const std::vector<EncodedCalls>& blocks() const { return blocks_; }
  // The first so many blocks are not needed any more.
  void forget_blocks(size_t count);

 private:
  explicit CallsOfThread(uint32_t thread);
  void begin(uint64_t base);
  void put(std::span<const log::CallRecord> records);
  void need(std::span<const log::CallRecord> records);

  const uint32_t thread_;
  log::CallsWriter calls_;
  const log::ClassSizes no_sizes_;
  log::ByteBuffer made_;  // kept for its memory
  std::vector<log::CallRecord> records_;
  std::vector<bool> known_;  // methods of the open block
  std::vector<uint32_t> methods_;
  size_t records_in_block_ = 0, calls_in_block_ = 0;
  LostCalls lost_;
  uint64_t untold_ = 0;  // of these, what no block has told yet
  std::vector<EncodedCalls> blocks_;
};

}  // namespace oriel::log_module
