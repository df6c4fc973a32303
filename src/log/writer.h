// Writes a log, version 2. One writer per file, used by one thread. Blocks are gathered in memory; flush writes them,
// and a check block over them, in one system call, so that a file truncated anywhere is readable up to its last
// complete block.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/varint.h"
#include "log/format.h"

namespace oriel::log {

// An event as passed from a program's thread to the writer: fields already encoded (encode_fields below), time
// absolute.
struct RawEvent {
  uint64_t counter = 0;
  uint32_t number = 0;  // as in events.def
  std::span<const uint8_t> fields;
  std::optional<uint64_t> stack = {};  // for a sampled allocation: its stack's leaf node, written before; 0 if unknown
};

// Call records: a thread's calls and allocations for the writer, numbers only, in order of occurrence.
enum class CallKind : uint8_t {
  kEnter = 1,         // method_enter: id: the method; value: counter, absolute
  kLeave,             // method_leave: id: the method, 0 if unknown; value: counter, absolute
  kLeaveByException,  // method_exception_leave: likewise
  kLeaveByTailCall,   // method_tail_call: likewise
  kAllocation,        // gc_allocation: id: the class; value: bytes
  kSite,              // id: the method whose code makes the allocations that follow, 0 if unknown
  kLost,              // value: how many were lost here; the thread's stack is unknown from here on
  kStack,             // value: the node of the stack of the allocations that follow, 0 if unknown
  // Data about the segment (the time between two of the thread's call events) that ends with the next event:
  kTimed,   // value: ticks, timed separately
  kWaited,  // value: nanoseconds of it without a processor
  kTaken,   // value: ticks that logging took in it, beyond the usual cost of each event
};

struct CallRecord {
  CallKind kind = CallKind::kEnter;
  uint32_t id = 0;
  uint64_t value = 0;
};

// How they are written.
struct CallsHow {
  bool compressed = false;  // in fewer bytes, for a few times the processor time
  bool goes_on = false;     // where the thread's records before them ended: with their site, their stack and time
};

class RingFile;

// What did not fit into a recorder's file.
struct Dropped {
  struct Calls {
    uint64_t count = 0;    // with allocations
    uint64_t counter = 0;  // not after the first one that follows
  };
  uint64_t samples = 0;  // sampling periods
  uint64_t events = 0;
  std::map<uint64_t, Calls> calls;  // by thread

  void add(const Dropped& more);
};

class Writer {
 public:
  // Creates (or truncates) the file, or opens the pipe or socket (stream.h). Errors name the path and the reason.
  static Result<std::unique_ptr<Writer>> create(const std::string& path);
  // The same for a file that is to have its name only once it is complete (place.h): publish() gives it the name. If it
  // is closed without that, nothing is left.
  static Result<std::unique_ptr<Writer>> create_unpublished(const std::string& path);
  // Writes to an empty file that has no name, open at `file`, which stays open.
  static Result<std::unique_ptr<Writer>> create_unnamed(int file);
  // Writes the next segment of a recorder's file, which must outlive it.
  static Result<std::unique_ptr<Writer>> create_in(RingFile& ring);
  ~Writer();

  // From now on flushes compress what was gathered, but for calls (see CallsHow) and chunks of the heap.
  void compress();

  void intro(const Intro& intro);
  void load(const Load& load);
  void mapping(const Mapping& mapping);  // writes nothing if it is empty
  // In order of time. `clock` is the block's time; by default now, by this machine's clock.
  void events(uint64_t thread, std::span<const RawEvent> events, std::optional<ClockPair> clock = {});
  // One thread's calls and allocations, in order of occurrence; `base` is a counter not after the first one, and the
  // time of allocations before any call. Classes must be mapped before: allocations of other classes are left out.
  void calls(uint64_t thread, uint64_t base, std::span<const CallRecord> records, const CallsHow& how = {});
  void stacks(std::span<const StackNode> nodes);                  // ids continue from the previous call
  void samples(uint64_t thread, std::span<const Sample> samples,  // in order of time
               std::span<const Compiling> compiling = {});        // of these samples
  void call_graph(const CallGraph& graph);                        // nodes with ids from 1, callers first
  void gc_parts(const GcParts& parts);
  void coverage(const Coverage& coverage);
  void options(const OptionChange& change);
  void process(const ProcessUsage& usage);
  void counters(std::span<const Counter> counters);
  void losses(std::span<const LostOfThread> threads);  // whose threads are not 0
  void heap(const HeapSnapshot& snapshot);
  void heap_details(const HeapDetails& details);  // before its snapshot
  // Whole blocks that others made (heap_chunk_writer.h, CallsWriter::end_block).
  void whole_blocks(std::span<const uint8_t> blocks);
  void end(const End& end);

  // Writes the gathered blocks, and a check block with the lost counts. After an error (disk full, …) the file is
  // truncated to its last complete block, nothing more is written, and every further flush returns the same error.
  Status flush(std::span<const Lost> lost);

  // From now on the log has a tail beside it (tail_file.h), until it is closed; not beside a pipe or socket. Errors
  // name the path and the reason; the log goes on without one then.
  Status begin_tail();
  // Whether there is one that can be written.
  bool has_tail() const;
  // Writes the gathered blocks, with what `add` adds, into the tail: all that a reader has after the last flush if no
  // other one follows. What was gathered stays so, and what `add` adds is not in the log. False: the tail stays as it
  // was, as the whole is larger than kMostTailBytes, or it could not be written.
  bool write_tail(std::span<const Lost> lost, const std::function<void()>& add);

  // Copies a recorder's segments (RingFile::copy_to) into the file, before anything else.
  Status copy(const RingFile& ring, const std::function<void()>& between);
  // Whether a flush did not fit into the recorder's file, so that this segment can go no further; and what was in it
  // and in those after it.
  bool has_dropped() const;
  const Dropped& dropped() const;

  // Gives the file its name, in place of a log that has it. After an error it has none.
  Status publish();

  // Closes the file: another process may then replace it by its own log. Must be the last call.
  void close();

  uint64_t bytes_written() const;
  // Not flushed yet.
  uint64_t bytes_pending() const;

 private:
  Writer();
  static Result<std::unique_ptr<Writer>> create_by(Result<int> (*create)(const std::string&), const std::string& path,
                                                   bool published);
  struct State;
  std::unique_ptr<State> state_;
};

// Encodes one field of an event at `out`; returns the byte after it. Integers and ids as INT, text as STRING cut to 255
// bytes. Async-safe. `out` has room for kMaxFieldBytes.
inline constexpr size_t kMaxFieldBytes = 256;
inline uint8_t* encode_field(uint8_t* out, uint64_t value) { return write_varint(out, value); }
uint8_t* encode_field(uint8_t* out, const char* text);

}  // namespace oriel::log
