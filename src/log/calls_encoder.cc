#include "log/calls_encoder.h"

#include <utility>

#include "base/varint.h"

namespace oriel::log {
namespace {

bool is_leave(CallKind kind) { return kind >= CallKind::kLeave && kind <= CallKind::kLeaveByTailCall; }

// A leave of that kind, by what comes first.
CallOther leave_of(CallOther first, CallKind kind) {
  return static_cast<CallOther>(static_cast<unsigned>(first) + static_cast<unsigned>(kind) -
                                static_cast<unsigned>(CallKind::kLeave));
}

}  // namespace

uint64_t CallsEncoder::Output::passed_until(uint64_t counter) { return counter - std::exchange(before, counter); }

void CallsEncoder::Output::add(CallOther what, uint64_t value) {
  const unsigned bits = is_wide(what) ? 8 + kWideBits : 8;
  const uint64_t rest = value >> bits;
  const auto number = static_cast<unsigned>(what) + static_cast<unsigned>(value >> 8 & ((1u << (bits - 8)) - 1));
  *ops++ = static_cast<uint8_t>(static_cast<unsigned>(Op::kOther) | number << kOpBits | (rest != 0 ? kMoreValue : 0));
  *low++ = static_cast<uint8_t>(value);
  if (rest != 0) more = write_varint(more, rest);
}

CallsEncoder::CallsEncoder()
    : prediction_(std::make_unique<Prediction>()),
      ops_(std::make_unique_for_overwrite<uint8_t[]>(kMostCallRecords)),
      low_(std::make_unique_for_overwrite<uint8_t[]>(kMostCallRecords)),
      more_(std::make_unique_for_overwrite<uint8_t[]>(kMostCallRecords * kMostMoreBytes)) {}

void CallsEncoder::begin(uint64_t base) {
  prediction_->forget();
  out_ = {ops_.get(), low_.get(), more_.get(), base};
}

CallsEncoder::Streams CallsEncoder::streams() const {
  return {{ops_.get(), out_.ops}, {low_.get(), out_.low}, {more_.get(), out_.more}};
}

void CallsEncoder::add(std::span<const CallRecord> records, const ClassSizes& sizes) {
  Prediction& prediction = *prediction_;
  auto [ops, low, more, before, place] = out_;
  // What there is most of goes without an Output, whose members would not stay in registers.
  for (const CallRecord& record : records) {
    Op op = Op::kLeave;
    if (record.kind == CallKind::kEnter) {
      uint32_t& expected = prediction.expected(place);
      op = expected == record.id ? Op::kEnterPredicted : Op::kEnter;
      if (op == Op::kEnter) {
        expected = record.id;
        more = write_varint(more, record.id);
      }
      prediction.enter(record.id, place);
    } else if (record.kind == CallKind::kLeave && (record.id == place.top || record.id == 0)) {
      prediction.leave_top(place);
    } else {
      const Output out = other({ops, low, more, before, place}, record, sizes);
      ops = out.ops;
      low = out.low;
      more = out.more;
      before = out.before;
      place = out.place;
      continue;
    }
    const uint64_t passed = record.value - before, rest = passed >> kTimeBits;
    before = record.value;
    const auto high = static_cast<unsigned>(passed >> 8) << kTimeShift;
    *ops++ = static_cast<uint8_t>(static_cast<unsigned>(op) | (rest != 0 ? kMoreTime : 0) | high);
    *low++ = static_cast<uint8_t>(passed);
    if (rest != 0) [[unlikely]]
      more = write_varint(more, rest);
  }
  out_ = {ops, low, more, before, place};
}

// Without the method if it is the top one, the usual case; a reader knows it too.
void CallsEncoder::leave(Output& out, const CallRecord& record) const {
  const uint64_t passed = out.passed_until(record.value);
  if (record.id == out.place.top || record.id == 0) {
    out.add(record.kind == CallKind::kLeaveByException ? CallOther::kLeaveByException : CallOther::kLeaveByTailCall,
            passed);
    return prediction_->leave_top(out.place);
  }
  out.add(leave_of(CallOther::kLeaveNamed, record.kind), record.id);
  out.more = write_varint(out.more, passed);
  prediction_->leave(record.id, out.place);
}

CallsEncoder::Output CallsEncoder::other(Output out, const CallRecord& record, const ClassSizes& sizes) const {
  if (is_leave(record.kind)) {
    leave(out, record);
  } else {
    add_untimed(out, record, sizes);
  }
  return out;
}

void CallsEncoder::add_untimed(Output& out, const CallRecord& record, const ClassSizes& sizes) {
  switch (record.kind) {
    case CallKind::kAllocation: {
      const uint64_t fixed = sizes.of(record.id);
      if (fixed == ClassSizes::kUnknown) return;
      out.add(CallOther::kAllocation, record.id);
      if (fixed == 0) out.more = write_varint(out.more, record.value);
      return;
    }
    case CallKind::kSite:
      return out.add(CallOther::kSite, record.id);
    case CallKind::kStack:
      return out.add(CallOther::kStack, record.value);
    case CallKind::kLost:
      out.place = {};
      return out.add(CallOther::kLost, record.value);
    case CallKind::kTimed:
      return out.add(CallOther::kTimed, record.value);
    case CallKind::kWaited:
      return out.add(CallOther::kWaited, record.value);
    case CallKind::kTaken:
      return out.add(CallOther::kTaken, record.value);
    default:
      return;
  }
}

}  // namespace oriel::log
