#include "log/calls_decoder.h"

#include <zstd.h>

#include <algorithm>

#include "log/compressed.h"
#include "log/layout.h"
#include "oriel/oriel.h"

namespace oriel::log {
namespace {

// Whether its records could be so many: what a reader does for a block is bounded by the block's size.
bool is_sound(const CallsBlock& block, size_t bytes) {
  return block.count <= kMostCallRecords && block.more_bytes <= block.count * kMostMoreBytes &&
         (2 * block.count + block.more_bytes) / kMaxRatio <= bytes;
}

// Of a stream of so many bytes, which are in a frame if that has a size.
uint64_t stored(uint64_t bytes, uint64_t frame) { return frame != 0 ? frame : bytes; }

constexpr uint64_t kNoBlockHas = uint64_t{1} << 40;  // so many bytes

}  // namespace

uint64_t stored_bytes(const CallsBlock& block) {
  return std::min(stored(block.count, block.ops_frame), kNoBlockHas) +
         std::min(stored(block.count, block.low_frame), kNoBlockHas) +
         std::min(stored(block.more_bytes, block.more_frame), kNoBlockHas);
}

bool CallsDecoder::decode(const CallsBlock& block, Cursor& in, const ClassSizes& sizes) {
  if (!is_sound(block, in.left())) return false;
  const uint8_t *ops = nullptr, *low = nullptr, *more = nullptr;
  if (!stream(in, block.count, block.ops_frame, ops_, ops) || !stream(in, block.count, block.low_frame, low_, low) ||
      !stream(in, block.more_bytes, block.more_frame, more_, more))
    return false;
  prediction_->forget();
  thread_ = block.thread;
  counter_ = block.base;
  site_ = stack_ = 0;
  calls_count_ = 0;
  const bool whole = records(ops, low, block.count, {more, more + block.more_bytes}, sizes);
  tell_calls();
  return whole;
}

bool CallsDecoder::stream(Cursor& in, uint64_t bytes, uint64_t frame, std::vector<uint8_t>& room, const uint8_t*& at) {
  const uint64_t size = stored(bytes, frame);
  if (size > in.left()) return false;
  at = in.at;
  in.at += size;
  if (frame == 0) return true;
  room.resize(bytes);
  const size_t got = ZSTD_decompress(room.data(), bytes, at, frame);
  at = room.data();
  return !ZSTD_isError(got) && got == bytes;
}

bool CallsDecoder::records(const uint8_t* ops, const uint8_t* low, uint64_t count, Cursor more,
                           const ClassSizes& sizes) {
  Prediction& prediction = *prediction_;
  uint64_t counter = counter_;
  CallPlace place;
  for (uint64_t i = 0; i < count; ++i) {
    const uint8_t op = ops[i];
    const auto what = static_cast<Op>(op & kOpMask);
    if (what == Op::kOther) [[unlikely]] {
      counter_ = counter;
      place_ = place;
      if (!other(op, low[i], more, sizes)) return false;
      counter = counter_;
      place = place_;
      continue;
    }
    uint64_t method = 0;
    if (what == Op::kEnter && (!more.integer(method) || method > UINT32_MAX)) return false;
    counter += static_cast<uint64_t>(op >> kTimeShift) << 8 | low[i];
    if ((op & kMoreTime) != 0) [[unlikely]] {
      uint64_t rest = 0;
      if (!more.integer(rest)) return false;
      counter += rest << kTimeBits;
    }
    if (what == Op::kLeave) {
      add({counter, oriel_event_method_leave, place.top});
      prediction.leave_top(place);
      continue;
    }
    uint32_t& expected = prediction.expected(place);
    if (what == Op::kEnter) expected = static_cast<uint32_t>(method);
    add({counter, oriel_event_method_enter, expected});
    prediction.enter(expected, place);
  }
  return more.left() == 0;
}

bool CallsDecoder::other(uint8_t op, uint64_t value, Cursor& more, const ClassSizes& sizes) {
  unsigned what = op >> kOpBits & ((1u << kOtherBits) - 1), bits = 8;
  if (is_wide(static_cast<CallOther>(what))) {
    constexpr unsigned kWide = (1u << kWideBits) - 1;
    value |= uint64_t{what & kWide} << bits;
    bits += kWideBits;
    what &= ~kWide;
  }
  uint64_t rest = 0;
  if ((op & kMoreValue) != 0 && (!more.integer(rest) || rest > UINT64_MAX >> bits)) return false;
  value |= rest << bits;
  switch (static_cast<CallOther>(what)) {
    case CallOther::kLeaveByException:
      return leave(oriel_event_method_exception_leave, false, value, more);
    case CallOther::kLeaveByTailCall:
      return leave(oriel_event_method_tail_call, false, value, more);
    case CallOther::kLeaveNamed:
      return leave(oriel_event_method_leave, true, value, more);
    case CallOther::kNamedLeaveByException:
      return leave(oriel_event_method_exception_leave, true, value, more);
    case CallOther::kNamedLeaveByTailCall:
      return leave(oriel_event_method_tail_call, true, value, more);
    case CallOther::kAllocation:
      return allocate(value, more, sizes);
    case CallOther::kSite:
      site_ = value;
      return true;
    case CallOther::kStack:
      stack_ = value;
      return true;
    case CallOther::kLost:
      place_ = {};
      event_ = {};
      event_.number = Event::kCallsLost;
      event_.values[0] = value;
      event_.value_count = 1;
      tell_event();
      return true;
    case CallOther::kTimed:
    case CallOther::kWaited:
    case CallOther::kTaken:
      event_ = {};
      event_.number = Event::kSegment;
      event_.values[what - static_cast<unsigned>(CallOther::kTimed)] = value;
      event_.value_count = 3;
      tell_event();
      return true;
  }
  return false;
}

bool CallsDecoder::leave(uint32_t number, bool named, uint64_t value, Cursor& more) {
  uint64_t passed = value;
  if (named && (value > UINT32_MAX || !more.integer(passed))) return false;
  counter_ += passed;
  add({counter_, number, named ? static_cast<uint32_t>(value) : place_.top});
  if (named)
    prediction_->leave(static_cast<uint32_t>(value), place_);
  else
    prediction_->leave_top(place_);
  return true;
}

bool CallsDecoder::allocate(uint64_t klass, Cursor& more, const ClassSizes& sizes) {
  const uint64_t fixed = sizes.of(klass);
  if (fixed == ClassSizes::kUnknown) return false;  // whether a size follows is not known
  event_ = {};
  event_.number = oriel_event_gc_allocation;
  event_.value_count = 4;
  event_.values[0] = klass;
  event_.values[1] = fixed;
  event_.values[3] = site_;
  event_.stack = stack_;
  if (fixed == 0 && !more.integer(event_.values[1])) return false;
  tell_event();
  return true;
}

inline void CallsDecoder::add(const Call& call) {
  calls_[calls_count_++] = call;
  if (calls_count_ == kCallsAtOnce) tell_calls();
}

void CallsDecoder::tell_calls() {
  if (calls_count_ != 0) sink_.on_calls(thread_, {calls_.data(), calls_count_});
  calls_count_ = 0;
}

void CallsDecoder::tell_event() {
  tell_calls();
  event_.thread = thread_;
  event_.counter = counter_;
  sink_.on_event(event_);
}

void EventSink::on_calls(uint64_t thread, std::span<const Call> calls) {
  Event event;
  event.thread = thread;
  event.value_count = 1;
  for (const Call& call : calls) {
    event.number = call.number;
    event.counter = call.counter;
    event.values[0] = call.method;
    on_event(event);
  }
}

}  // namespace oriel::log
