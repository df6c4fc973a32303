// The event stream of an events block, both ways: how the writer encodes a thread's events, and how a reader decodes
// them, with the calls and allocations that earlier writers put there too. The code bytes are in event_codes.h. A
// stream ends with a BYTE 0, which is not part of what is encoded here.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <unordered_map>

#include "log/call_stack.h"
#include "log/class_sizes.h"
#include "log/encoder.h"
#include "log/event_codes.h"
#include "log/field_reader.h"
#include "log/sink.h"
#include "log/writer.h"

namespace oriel::log {

// Appends events of events.def, in order of time, of a block whose base is `base`. May throw std::bad_alloc.
void encode_events(uint64_t base, std::span<const RawEvent> events, ByteBuffer& out);

// Keeps state from the rest of the file: class sizes, and each thread's stack.
class EventDecoder {
 public:
  EventDecoder(EventSink& sink, uint64_t version) : sink_(sink), version_(version), codes_(event_code_table(version)) {}

  void class_size(uint64_t id, uint64_t bytes) { class_sizes_.set(id, bytes); }
  const ClassSizes& class_sizes() const { return class_sizes_; }
  // Call if events were lost: threads' stacks are unknown from here on.
  void forget_stacks() { stacks_.clear(); }

  // Passes events up to the BYTE 0 to the sink. False if the stream is invalid from in.at on; earlier events were
  // passed on.
  bool decode(Cursor& in, uint64_t thread, uint64_t base, uint64_t offset);

 private:
  bool one(Cursor& in, uint8_t byte, const EventCode& code, Event& event, CallStack& stack);
  bool packed_id(Cursor& in, uint8_t byte, const EventCode& code, Event& event, CallStack& stack);
  bool explicit_leave(Cursor& in, Event& event, CallStack& stack);
  bool allocation(Cursor& in, uint8_t byte, Event& event);
  bool top(Cursor& in, Event& event, CallStack& stack);
  bool extended(Cursor& in, Event& event);
  void problem_once(uint64_t number, const std::string& message);

  EventSink& sink_;
  uint64_t version_;
  EventCodeTable codes_;
  ClassSizes class_sizes_;
  std::unordered_map<uint64_t, CallStack> stacks_;
  uint64_t site_ = 0;   // of the block's allocations
  uint64_t stack_ = 0;  // likewise
  std::set<uint64_t> told_;
  uint64_t offset_ = 0;  // of the block, for problem reports
  std::string text_;     // an event's text, made valid UTF-8
};

}  // namespace oriel::log
