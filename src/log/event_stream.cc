#include "log/event_stream.h"

#include <algorithm>

namespace oriel::log {

void encode_events(uint64_t base, std::span<const RawEvent> events, ByteBuffer& out) {
  Encoder encoder(out);
  uint64_t before = base;
  uint64_t stack = 0;
  for (const RawEvent& event : events) {
    if (event.stack && *event.stack != stack) {
      stack = *event.stack;
      encoder.byte("", kStackCode, "");
      encoder.integer("stack", stack, "");
    }
    encoder.byte("", kExtendedCode, "");
    const ExtendedHead head{event.number, event.counter - before, event.fields.size()};
    fields(encoder, head);
    out.append(event.fields.data(), event.fields.size());
    before = event.counter;
  }
}

namespace {

// The main value of packed codes 1–4: its low five bits are the code byte's upper five.
bool packed_main(Cursor& in, uint8_t byte, uint64_t& value) {
  uint64_t rest = 0;
  if (!in.integer(rest) || rest > UINT64_MAX >> 5) return false;
  value = rest << 5 | byte >> 3;
  return true;
}

bool add_delta(Cursor& in, Event& event) {
  uint64_t delta = 0;
  if (!in.integer(delta)) return false;
  event.counter += delta;
  return true;
}

}  // namespace

bool EventDecoder::decode(Cursor& in, uint64_t thread, uint64_t base, uint64_t offset) {
  offset_ = offset;
  CallStack& stack = stacks_[thread];
  site_ = stack_ = 0;
  Event event;
  event.thread = thread;
  event.counter = base;
  while (in.left() != 0) {
    const uint8_t byte = *in.at++;
    if (byte == 0) return true;
    const EventCode* code = codes_[byte];
    if (code == nullptr || !one(in, byte, *code, event, stack)) return false;
  }
  return false;
}

bool EventDecoder::one(Cursor& in, uint8_t byte, const EventCode& code, Event& event, CallStack& stack) {
  event.number = code.number;
  event.text = {};
  event.stack = 0;
  switch (code.shape) {
    case EventShape::kNone:
      return false;
    case EventShape::kExtended:
      return extended(in, event);
    case EventShape::kPackedId:
      if (!packed_id(in, byte, code, event, stack)) return false;
      break;
    case EventShape::kAllocation:
      if (!allocation(in, byte, event)) return false;
      break;
    case EventShape::kTop:
      if (!top(in, event, stack)) return false;
      break;
    case EventShape::kValue:
      if (!in.integer(event.values[0]) || !add_delta(in, event)) return false;
      event.values[1] = (byte & code.failure_bit) != 0 ? 1 : 0;
      event.value_count = code.failure_bit != 0 ? 2 : 1;
      if (code.number == Event::kCallsLost) stack.forget();
      break;
    case EventShape::kLeave:
      if (!explicit_leave(in, event, stack)) return false;
      break;
    case EventShape::kSite:
      return in.integer(site_);
    case EventShape::kStack:
      return in.integer(stack_);
  }
  sink_.on_event(event);
  return true;
}

bool EventDecoder::packed_id(Cursor& in, uint8_t byte, const EventCode& code, Event& event, CallStack& stack) {
  if (!packed_main(in, byte, event.values[0]) || !add_delta(in, event)) return false;
  event.value_count = 1;
  if (version_ == kVersion1) return true;  // every exit names its method
  if (code.number == oriel_event_method_enter) {
    stack.enter(event.values[0]);
  } else {
    stack.leave(event.values[0]);
  }
  return true;
}

bool EventDecoder::explicit_leave(Cursor& in, Event& event, CallStack& stack) {
  if (!in.integer(event.values[0]) || !add_delta(in, event)) return false;
  event.value_count = 1;
  stack.leave(event.values[0]);
  return true;
}

bool EventDecoder::allocation(Cursor& in, uint8_t byte, Event& event) {
  if (!packed_main(in, byte, event.values[0])) return false;
  event.value_count = 2;
  event.values[2] = 0;
  event.values[3] = site_;
  if (version_ != kVersion1) {
    event.values[1] = class_sizes_.of(event.values[0]);
    if (event.values[1] == ClassSizes::kUnknown) return false;  // unknown whether a size follows
    event.stack = stack_;
    event.value_count = 4;
    if (event.values[1] != 0) return true;
  }
  return in.integer(event.values[1]);
}

bool EventDecoder::top(Cursor& in, Event& event, CallStack& stack) {
  if (!add_delta(in, event)) return false;
  event.values[0] = stack.top();
  event.value_count = 1;
  stack.leave_top();
  return true;
}

bool EventDecoder::extended(Cursor& in, Event& event) {
  ExtendedHead head;
  if (!read_record(in, version_, head) || head.length > in.left()) return false;
  Cursor body{in.at, in.at + head.length};
  in.at = body.end;
  event.counter += head.delta;
  const bool known = head.number < oriel_event_number_end || head.number == Event::kSegment;
  const EventDescription* description = known ? describe_event(static_cast<uint32_t>(head.number)) : nullptr;
  if (description == nullptr) {
    problem_once(head.number, "events with the unknown number " + std::to_string(head.number) +
                                  " are left out; a newer oriel can read them");
    return true;
  }
  event.number = description->number;
  if (description->has_stack) event.stack = stack_;
  event.value_count = static_cast<uint32_t>(description->fields.size());
  std::fill_n(event.values, event.value_count, uint64_t{0});
  for (size_t i = 0; i < description->fields.size(); ++i) {
    const FieldKind kind = description->fields[i].kind;
    if (kind == FieldKind::kContext) continue;
    if (i > 0 && body.at == body.end) {  // written by an older oriel: the event got further fields since
      event.value_count = static_cast<uint32_t>(i);
      break;
    }
    if (kind == FieldKind::kText) {
      const uint8_t* nul = std::find(body.at, body.end, uint8_t{0});
      if (nul == body.end) return false;
      text_.assign(body.at, nul);
      make_valid_utf8(text_);
      event.text = text_;
      event.values[i] = text_.size();
      body.at = nul + 1;
    } else if (!body.integer(event.values[i])) {
      return false;
    }
  }
  sink_.on_event(event);
  return true;
}

void EventDecoder::problem_once(uint64_t number, const std::string& message) {
  if (told_.size() < 1000 && told_.insert(number).second) sink_.on_problem(offset_, message);
}

}  // namespace oriel::log
