// The container of a .nettrace file: blocks of events, of their metadata, of stacks, and points at which the numbers of
// stacks begin anew, in objects one after another (version 4, which is read here) or with a head of four bytes each
// (version 6, imports/nettrace_packed.h). Read block by block; nothing is trusted.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace oriel::imports {

// Random access to a file's bytes.
struct TraceBytes {
  uint64_t size = 0;
  std::function<bool(uint64_t offset, void* to, size_t size)> read;
};

struct TraceHead {
  uint32_t version = 4;
  uint64_t unix_us = 0;    // 0: not a time
  uint64_t begin = 0;      // counter at that time
  uint64_t frequency = 1;  // counts a second
  uint32_t pointer_bytes = 8;
  uint32_t pid = 0;
  uint32_t processors = 0;
  uint32_t sampling_ns = 0;
};

// Which event it is, as its metadata says.
struct TraceKind {
  std::string provider;
  std::string name;
  uint32_t id = 0;
  uint32_t version = 0;
};

struct TraceEvent {
  uint32_t kind = 0;                     // number of its metadata
  uint64_t process = 0;                  // 0: all events are of one
  uint64_t thread = 0;                   // the system's number
  std::string_view name = {};            // of the thread, if known
  uint64_t time = 0;                     // counter
  std::optional<uint32_t> version = {};  // if not that of its kind
  std::span<const uint8_t> payload = {};
  uint32_t stack_number = 0;            // between two points the same for the same stack; 0 for none
  std::span<const uint8_t> stack = {};  // addresses, innermost first
};

class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void on_kind(uint32_t number, const TraceKind& kind) = 0;
  // The spans are valid only during the call.
  virtual void on_event(const TraceEvent& event) = 0;
  // Stacks' numbers begin anew, and all events so far are earlier than those that follow.
  virtual void on_point() {}
};

struct TraceOutcome {
  TraceHead head;
  uint64_t events = 0;
  uint64_t lost = 0;       // events that the runtime dropped, by the gaps in their numbers
  uint64_t cut_bytes = 0;  // at the end, that are no whole block, or damaged
  uint64_t damaged = 0;    // blocks of which a part could not be read
  uint64_t unknown = 0;    // blocks of a kind that is not known
  bool ended = false;      // the file has its end
};

// The first error only if not even the head can be read; the sentence follows the file's name.
Result<TraceOutcome> read_trace(const TraceBytes& file, TraceSink& sink,
                                const std::function<void(uint64_t done)>& progress = {});

}  // namespace oriel::imports
