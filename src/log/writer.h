// Writing a log, version 2. One writer a file, used by one thread. Blocks gather in memory; flush writes them, and a
// check block over them, in one system call, so that a file that is cut anywhere reads up to its last whole block.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/varint.h"
#include "log/format.h"

namespace oriel::log {

// An event as a program's thread leaves it for the writer: fields already encoded (encode_fields below), time absolute.
struct RawEvent {
  uint64_t counter = 0;
  uint32_t number = 0;  // as in events.def
  std::span<const uint8_t> fields;
  std::optional<uint64_t> stack = {};  // of a sampled allocation: its stack's leaf node, written before; 0 if not known
};

// Call records: what a thread's calls and allocations are to the writer, numbers only, in the order in which they came.
enum class CallKind : uint8_t {
  kEnter = 1,         // method_enter: id: the method; value: counter, absolute
  kLeave,             // method_leave: id: the method, 0 if not known; value: counter, absolute
  kLeaveByException,  // method_exception_leave: likewise
  kLeaveByTailCall,   // method_tail_call: likewise
  kAllocation,        // gc_allocation: id: the class; value: bytes
  kSite,              // id: the method whose code makes the allocations that follow, 0 if not known
  kLost,              // value: how many were lost here; what is on the thread's stack is not known from here on
  kStack,             // value: the node of the stack of the allocations that follow, 0 if not known
  // Of the segment, the time between two calls' events of the thread, that ends with the next of them:
  kTimed,   // value: ticks, as timed apart
  kWaited,  // value: nanoseconds of it without a processor
  kTaken,   // value: ticks of it that logging took, beyond what each event takes
};

struct CallRecord {
  CallKind kind = CallKind::kEnter;
  uint32_t id = 0;
  uint64_t value = 0;
};

class Writer {
 public:
  // Creates (or truncates) the file. The message names the path and the reason.
  static Result<std::unique_ptr<Writer>> create(const std::string& path);
  ~Writer();

  void intro(const Intro& intro);
  void load(const Load& load);
  void mapping(const Mapping& mapping);                            // writes nothing if it is empty
  void events(uint64_t thread, std::span<const RawEvent> events);  // in order of time
  // Calls and allocations of one thread, in the order in which they came; `base` is a counter not after the first, and
  // the time of allocations before any call. Classes need their mapping before: an allocation of a class without one
  // is left out.
  void calls(uint64_t thread, uint64_t base, std::span<const CallRecord> records);
  void stacks(std::span<const StackNode> nodes);                  // ids follow those of the call before
  void samples(uint64_t thread, std::span<const Sample> samples,  // in order of time
               std::span<const Compiling> compiling = {});        // of these samples
  void call_graph(const CallGraph& graph);                        // nodes with ids from 1, callers first
  void coverage(const Coverage& coverage);
  void process(const ProcessUsage& usage);
  void counters(std::span<const Counter> counters);
  void end(const End& end);

  // Writes what has gathered, and a check block with the lost counts. After an error (disk full, …) the file is cut
  // back to its last whole flush, nothing more is written, and every further flush returns the same error.
  Status flush(std::span<const Lost> lost);

  // Closes the file: from now on another process may put its own log there. Nothing may follow.
  void close();

  uint64_t bytes_written() const;
  // Waiting for the next flush.
  uint64_t bytes_pending() const;

 private:
  Writer();
  struct State;
  std::unique_ptr<State> state_;
};

// Encodes one field of an event behind `out`; returns the byte after it. Integers and ids as INT, text as STRING cut to
// 255 bytes. Async-safe. `out` has room for kMaxFieldBytes.
inline constexpr size_t kMaxFieldBytes = 256;
inline uint8_t* encode_field(uint8_t* out, uint64_t value) { return write_varint(out, value); }
uint8_t* encode_field(uint8_t* out, const char* text);

}  // namespace oriel::log
