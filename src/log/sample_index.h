// What lies where in a log, so that a reader of a part of its time passes over the samples and calls of the rest: a log
// cut into pieces of some megabytes. Of each piece the index has the range of their counters, the sums of its samples,
// what its calls do to the threads' stacks, and all else that is in it. Names, nodes, events and clocks are few in most
// logs, and every reader needs all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "log/sink.h"

namespace oriel::log {

// Counters between which a time is; both are included.
struct CounterRange {
  uint64_t from = 0, to = UINT64_MAX;
};
inline constexpr CounterRange kNoCounters{UINT64_MAX, 0};

// Samples and calls that were passed over: when a thread had its first and its last; the sum of samples whose innermost
// frame is one function, or of those without a stack.
struct PassedThread {
  uint64_t thread = 0;
  CounterRange seen;
};
struct PassedFrame {
  bool has_stack = false;
  FrameKind kind = FrameKind::kManaged;
  uint64_t frame = 0;  // as in StackNode
  uint64_t periods = 0;
};

// Of calls and allocations that were passed over: how many there are, and what is missing of them.
struct PassedCalls {
  uint64_t enters = 0;
  uint64_t first_enter = UINT64_MAX;  // the least counter of these
  uint64_t without_enter = 0, without_leave = 0;
  uint64_t gaps = 0, lost_events = 0;
  uint64_t allocated = 0;
};
// And what they did to a thread's stack of open calls.
struct PassedStack {
  uint64_t thread = 0;
  uint64_t counter = 0;          // of the first of them; 0 if there are only losses
  uint64_t last = 0;             // of the last of them, likewise
  uint64_t waited_ns = 0;        // that the thread waited before the first of them, as far as it is told here
  uint64_t waiting_ns = 0;       // and since the last of them
  uint64_t ended = 0;            // open calls, from the top
  bool is_after_gap = false;     // calls were lost, and what is open now was entered since
  std::vector<uint64_t> opened;  // then: methods, the outermost first
};

// A sink for a part of the time.
class RangeSink : public EventSink {
 public:
  // There is a sample or a call of this thread here that is passed over.
  virtual void on_passed(uint64_t /*thread*/) {}
  // Later, what these were.
  virtual void on_passed(const PassedThread&) {}
  virtual void on_passed(const PassedFrame&) {}
  virtual void on_passed(const PassedCalls&) {}
  // In the order in which the threads had their first calls there.
  virtual void on_passed(const PassedStack&) {}
};

// A piece ends behind a check block, where the next one begins.
struct IndexPiece {
  uint64_t end = 0;
  // Of the samples and calls that are not in `rest`; `from` is larger than `to` if there are none.
  CounterRange counters = kNoCounters;
  // What else is not in `rest`: how many blocks, how many bytes these and their headers have, uncompressed too, and by
  // how much the contents of compressed blocks are larger than these.
  uint64_t blocks = 0, raw_bytes = 0, unpacked = 0;
  // A zstd frame of that many bytes (range_decoder.cc reads them). Empty if the piece has to be read from the log: much
  // of it is neither samples nor calls, or it is damaged.
  uint64_t rest_size = 0;
  std::vector<uint8_t> rest;
};

struct SampleIndex {
  std::vector<IndexPiece> pieces;

  // What follows is not in it.
  uint64_t end() const { return pieces.empty() ? 0 : pieces.back().end; }
};

inline constexpr uint64_t kIndexPiece = 8u << 20;

// Reads the whole log, with one piece in memory. Pieces have at least `piece` bytes. Logs of version 1, and recorders'
// files, have none. Errors and progress as decode_file. May throw std::bad_alloc.
Result<SampleIndex> make_sample_index(const std::string& path, uint64_t piece = kIndexPiece,
                                      const std::function<void(uint64_t, uint64_t)>& progress = {});

// How entries in a piece's rest begin; what follows is INTs, but for a block's bytes.
enum class RestEntry : uint8_t {
  kBlock = 1,  // its place in the piece; the block with its header
  kThread,     // a thread's first sample or call that is passed over: the thread
  kSeen,       // the thread, its first and its last counter, less the first
  kFrame,      // the frame * 2, + 1 if native; periods
  kNoStack,    // periods
  kClock,      // of a block of calls that is passed over: counter, microseconds
  kCalls,      // the fields of PassedCalls
  kStack,      // the thread, the first counter, the last one, the two waits, ended calls * 2, + 1 after a gap; how many
               // were opened, their methods
};

}  // namespace oriel::log
