#include "encoded_calls.h"

#include <algorithm>
#include <utility>

#include "call_chunks.h"

namespace oriel::log_module {
namespace {

using log::CallKind;

bool is_of_allocation(const log::CallRecord& record) {
  return record.kind == CallKind::kAllocation || record.kind == CallKind::kStack || record.kind == CallKind::kSite;
}

}  // namespace

CallsOfThread::CallsOfThread(uint32_t thread) : thread_(thread) { records_.reserve(CallChunk::kWords + 2); }

size_t CallsOfThread::add(uint64_t base) {
  const auto allocations =
      static_cast<size_t>(std::ranges::count(records_, CallKind::kAllocation, &log::CallRecord::kind));
  std::erase_if(records_, is_of_allocation);
  std::span<const log::CallRecord> rest = records_;
  if (rest.empty()) return allocations;
  if (!calls_.is_open()) calls_.begin(thread_, base);
  need(rest);
  while (!(rest = calls_.add(rest, no_sizes_, false)).empty()) {
    const uint64_t last = calls_.last();
    close();
    calls_.begin(thread_, last);
    need(rest);
  }
  return allocations;
}

// More than the block takes does no harm.
void CallsOfThread::need(std::span<const log::CallRecord> records) {
  uint32_t before = 0;
  for (const log::CallRecord& record : records) {
    if (record.kind > CallKind::kLeaveByTailCall || record.id == std::exchange(before, record.id)) continue;
    if (record.id >= known_.size()) known_.resize(size_t{record.id} + 1024);
    if (known_[record.id]) continue;
    known_[record.id] = true;
    methods_.push_back(record.id);
  }
}

void CallsOfThread::close() {
  if (!calls_.is_open()) return;
  made_.shrink(0);
  calls_.end_block(made_);
  blocks_.push_back({{made_.data(), made_.data() + made_.size()}, methods_});
  count_encoded(made_.size());
  for (const uint32_t method : methods_) known_[method] = false;
  methods_.clear();
}

void CallsOfThread::forget_blocks() {
  for (const EncodedCalls& calls : blocks_) forget_encoded(calls.block.size());
  blocks_.clear();
}

}  // namespace oriel::log_module
