// Calls and allocations as a test writes them down: CallList().enter(1, 100).allocate(2, 24).leave(1, 200).
#pragma once

#include <vector>

#include "log/writer.h"

namespace oriel::log {

class CallList {
 public:
  CallList& enter(uint32_t method, uint64_t at) { return add({CallKind::kEnter, method, at}); }
  CallList& leave(uint32_t method, uint64_t at) { return add({CallKind::kLeave, method, at}); }
  CallList& leave_by_exception(uint32_t method, uint64_t at) { return add({CallKind::kLeaveByException, method, at}); }
  CallList& leave_by_tail_call(uint32_t method, uint64_t at) { return add({CallKind::kLeaveByTailCall, method, at}); }
  CallList& allocate(uint32_t klass, uint64_t bytes) { return add({CallKind::kAllocation, klass, bytes}); }
  // The method whose code makes the allocations that follow.
  CallList& site(uint32_t method) { return add({CallKind::kSite, method, 0}); }
  // The node of the stack of the allocations that follow.
  CallList& stack(uint64_t node) { return add({CallKind::kStack, 0, node}); }
  CallList& lost(uint64_t count) { return add({CallKind::kLost, 0, count}); }
  // Of the segment that ends with the next event: kTimed, kWaited, kTaken.
  CallList& segment(CallKind kind, uint64_t value) { return add({kind, 0, value}); }
  CallList& add(CallRecord record) {
    records_.push_back(record);
    return *this;
  }

  const std::vector<CallRecord>& records() const { return records_; }
  // As one events block of that thread.
  void write(Writer& writer, uint64_t thread, uint64_t base = 0) const { writer.calls(thread, base, records_); }

 private:
  std::vector<CallRecord> records_;
};

}  // namespace oriel::log
