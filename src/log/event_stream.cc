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

// A code byte and three INTs.
constexpr size_t kMaxBytes = 1 + 3 * kMaxVarintBytes;
constexpr size_t kBatch = 512;

uint8_t* packed_id(uint8_t* at, Packed code, uint64_t id) {
  *at++ = event_code(code, static_cast<unsigned>(id & 31));
  return write_varint(at, id >> 5);
}

// An event of three fields, the other two being 0. It takes no time.
uint8_t* segment(uint8_t* at, CallKind kind, uint64_t value) {
  *at++ = kExtendedCode;
  at = write_varint(at, Event::kSegment);
  at = write_varint(at, 0);
  uint8_t fields[3 * kMaxVarintBytes];
  uint8_t* end = fields;
  for (const CallKind field : {CallKind::kTimed, CallKind::kWaited, CallKind::kTaken})
    end = write_varint(end, field == kind ? value : 0);
  at = write_varint(at, static_cast<uint64_t>(end - fields));
  return std::copy(fields, end, at);
}

unsigned how_of(CallKind kind) { return static_cast<unsigned>(kind) - static_cast<unsigned>(CallKind::kLeave); }

}  // namespace

void CallsEncoder::encode(uint64_t base, std::span<const CallRecord> records, const ClassSizes& sizes,
                          ByteBuffer& out) {
  before_ = base;
  while (!records.empty()) {
    const auto batch = records.first(std::min(records.size(), kBatch));
    records = records.subspan(batch.size());
    uint8_t* at = out.room(batch.size() * kMaxBytes);
    for (const CallRecord& record : batch) at = one(at, record, sizes);
    out.commit(at);
  }
}

uint8_t* CallsEncoder::one(uint8_t* at, const CallRecord& record, const ClassSizes& sizes) {
  switch (record.kind) {
    case CallKind::kEnter:
      stack_.enter(record.id);
      return delta(packed_id(at, Packed::kEnter, record.id), record.value);
    case CallKind::kLeave:
    case CallKind::kLeaveByException:
    case CallKind::kLeaveByTailCall:
      return leave(at, record);
    case CallKind::kAllocation: {
      const uint64_t fixed = sizes.of(record.id);
      if (fixed == ClassSizes::kUnknown) return at;
      at = packed_id(at, Packed::kAllocation, record.id);
      return fixed != 0 ? at : write_varint(at, record.value);
    }
    case CallKind::kSite:
      *at++ = kSiteCode;
      return write_varint(at, record.id);
    case CallKind::kStack:
      *at++ = kStackCode;
      return write_varint(at, record.value);
    case CallKind::kLost:
      stack_.forget();
      *at++ = kCallsLostCode;
      at = write_varint(at, record.value);
      return write_varint(at, 0);
    case CallKind::kTimed:
    case CallKind::kWaited:
    case CallKind::kTaken:
      return segment(at, record.kind, record.value);
  }
  return at;
}

// Without the method if it is the top one, the usual case; a reader knows it too.
uint8_t* CallsEncoder::leave(uint8_t* at, const CallRecord& record) {
  const unsigned how = how_of(record.kind);
  if (record.id == stack_.top() || record.id == 0) {
    stack_.leave_top();
    *at++ = event_code(Packed::kLeaveImplicit, how);
    return delta(at, record.value);
  }
  stack_.leave(record.id);
  if (how == 0) return delta(packed_id(at, Packed::kLeaveExplicit, record.id), record.value);
  *at++ = how == 1 ? kLeaveByExceptionCode : kLeaveByTailCallCode;
  return delta(write_varint(at, record.id), record.value);
}

uint8_t* CallsEncoder::delta(uint8_t* at, uint64_t counter) {
  at = write_varint(at, counter - before_);
  before_ = counter;
  return at;
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
