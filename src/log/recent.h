// The last part of a log that is being written, as a log of its own: what ids mean, and what was recorded lately.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/status.h"
#include "log/format.h"

namespace oriel::log {

// Memory is bounded: what is recorded beyond `kMost` bytes drops the oldest. Names and nodes of stacks are all kept, as
// later samples refer to them. Call graphs and coverage are left out. One thread.
class RecentLog {
 public:
  enum class First {
    kIsRecent,  // what the first read brings was recorded since `begin_ns`
    kIsPast,    // it was recorded at any time before
  };
  // Times are of any clock that does not go back.
  RecentLog(int64_t begin_ns, First first) : since_ns_(begin_ns), past_ns_(first == First::kIsPast ? -1 : INT64_MIN) {}

  // The file's next bytes, of which a flush is used once it is complete. Calls with the same time are one read. An
  // error if this is no log, or one that cannot be followed.
  Status add(std::span<const uint8_t> bytes, int64_t now_ns);
  // Drops what the reads up to that time brought.
  void forget_until(int64_t ns);

  // What was recorded from then on, up to the last read, is in bytes().
  int64_t since_ns() const { return since_ns_; }
  // Bytes for the decoder (decoder.h); none before the log's intro was read.
  std::vector<uint8_t> bytes() const;
  // The log has its end.
  bool has_ended() const { return has_ended_; }

 private:
  struct Read {
    int64_t ns = 0;
    std::vector<uint8_t> blocks;
  };

  void take_flush(size_t from, size_t to);
  void take_block(const uint8_t* block, size_t size, Block code);
  void take_compressed(const uint8_t* data, size_t size);
  void drop_first_read();

  int64_t since_ns_;
  int64_t past_ns_;  // of the read that is not kept; -1: it is the next
  uint64_t version_ = 0;
  std::vector<uint8_t> pending_;      // not yet a whole flush
  std::vector<uint8_t> intro_;        // with its header, as all blocks
  std::vector<uint8_t> definitions_;  // what ids mean, nodes of stacks
  std::vector<uint8_t> counters_;     // the last block of them
  std::deque<Read> reads_;
  size_t kept_ = 0;  // bytes of reads_
  bool has_ended_ = false;
};

}  // namespace oriel::log
