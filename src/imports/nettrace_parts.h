// What all versions of .nettrace files have: the headers of events, the stacks that events refer to, and how a thread's
// events are numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "imports/trace_cursor.h"

namespace oriel::imports {

// The state of events' headers, which each block begins anew.
struct TraceHeader {
  uint32_t kind = 0, sequence = 0, processor = 0, stack = 0, labels = 0, payload = 0;
  uint64_t capture_thread = 0, thread = 0, time = 0;
};

// How headers of events differ between the versions.
enum class TraceLabels : uint8_t {
  kActivities,  // up to version 5: two activities of 16 bytes
  kList,        // from version 6 on: the number of a list
};

// A compressed header: only what differs from the one before it.
void read_packed_header(TraceCursor& in, TraceLabels labels, TraceHeader& header);
// The others.
void read_plain_header(TraceCursor& in, TraceLabels labels, TraceHeader& header);

// That the file has a version of the format which is not read.
Status other_version(uint32_t version);

// A time of eight 16-bit parts as microseconds since 1970; 0: not a time.
uint64_t read_trace_time(TraceCursor& in);

// The stacks that events refer to by number, up to the next point.
class TraceStackTable {
 public:
  // False: the block is damaged, and what stands before that was taken.
  bool read(TraceCursor in);
  // Empty if the number is not known. Valid until the next read or clear.
  std::span<const uint8_t> find(uint32_t number) const;
  void clear();

 private:
  struct Place {
    size_t at = 0;
    size_t size = 0;
  };
  std::unordered_map<uint32_t, Place> places_;
  std::vector<uint8_t> bytes_;
};

// Events that the recording lost, by the gaps in the numbers that each thread gives its events.
class TraceGaps {
 public:
  void event(uint64_t thread, uint32_t sequence);
  // The thread has come to that number, at least.
  void point(uint64_t thread, uint32_t sequence);
  void forget(uint64_t thread) { threads_.erase(thread); }
  uint64_t lost() const { return lost_; }

 private:
  std::unordered_map<uint64_t, uint32_t> threads_;  // the last numbers
  uint64_t lost_ = 0;
};

}  // namespace oriel::imports
