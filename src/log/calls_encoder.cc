#include "log/calls_encoder.h"

#include <algorithm>

namespace oriel::log {
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

}  // namespace oriel::log
