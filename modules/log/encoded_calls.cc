#include "encoded_calls.h"

#include <algorithm>
#include <new>
#include <utility>

#include "call_chunks.h"

namespace oriel::log_module {
namespace {

using log::CallKind;

// Of a thread that encodes, beside its blocks: the prediction, the streams and the records.
constexpr size_t kOwnBytes = 640 * 1024;
// A longer block would take the thread too long to end.
constexpr size_t kMostInBlock = 2 * CallChunk::kWords;

bool is_of_allocation(const log::CallRecord& record) {
  return record.kind == CallKind::kAllocation || record.kind == CallKind::kStack || record.kind == CallKind::kSite;
}

size_t count_calls(std::span<const log::CallRecord> records) {
  return static_cast<size_t>(std::ranges::count_if(
      records, [](const log::CallRecord& record) { return record.kind <= CallKind::kLeaveByTailCall; }));
}

}  // namespace

std::unique_ptr<CallsOfThread> CallsOfThread::make(uint32_t thread) {
  try {
    return std::unique_ptr<CallsOfThread>(new CallsOfThread(thread));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

CallsOfThread::CallsOfThread(uint32_t thread) : thread_(thread) {
  records_.reserve(CallChunk::kWords + 16);  // taking adds what was before a chunk, and what was lost
  count_encoder(kOwnBytes);
}

CallsOfThread::~CallsOfThread() {
  forget_blocks(blocks_.size());
  forget_encoder(kOwnBytes);
}

void CallsOfThread::add(uint64_t base) {
  const auto allocations =
      static_cast<size_t>(std::ranges::count(records_, CallKind::kAllocation, &log::CallRecord::kind));
  lost_.allocations += allocations;
  untold_ += allocations;
  std::erase_if(records_, is_of_allocation);
  if (records_.empty()) return;
  const size_t calls = count_calls(records_);
  if (records_in_block_ + records_.size() > kMostInBlock) close();
  try {
    need(records_);
    if (!calls_.is_open()) begin(base);
  } catch (const std::bad_alloc&) {
    lost_.calls += calls;
    untold_ += calls;
    return close();
  }
  put(records_);
  calls_in_block_ += calls;
}

// What was lost before the block is told at its begin.
void CallsOfThread::begin(uint64_t base) {
  calls_.begin(thread_, base);
  if (untold_ == 0) return;
  const log::CallRecord lost{CallKind::kLost, 0, std::exchange(untold_, 0)};
  put({&lost, 1});
}

// A block always has room for so few.
void CallsOfThread::put(std::span<const log::CallRecord> records) {
  static_assert(kMostInBlock + 2 < log::kMostCallRecords);
  calls_.add(records, no_sizes_, false);
  records_in_block_ += records.size();
}

// More than the block takes does no harm.
void CallsOfThread::need(std::span<const log::CallRecord> records) {
  uint32_t before = 0;
  for (const log::CallRecord& record : records) {
    if (record.kind > CallKind::kLeaveByTailCall || record.id == std::exchange(before, record.id)) continue;
    if (record.id >= known_.size()) known_.resize(size_t{record.id} + 1024);
    if (known_[record.id]) continue;
    methods_.push_back(record.id);
    known_[record.id] = true;
  }
}

void CallsOfThread::close() {
  const size_t calls = std::exchange(calls_in_block_, 0);
  records_in_block_ = 0;
  if (calls_.is_open()) {
    try {
      made_.shrink(0);
      calls_.end_block(made_);
      blocks_.push_back({{made_.data(), made_.data() + made_.size()}, methods_});
      count_encoded(blocks_.back().block.size());
    } catch (const std::bad_alloc&) {
      lost_.calls += calls;
      untold_ += calls;
    }
  }
  for (const uint32_t method : methods_) known_[method] = false;
  methods_.clear();
}

LostCalls CallsOfThread::take_lost() { return std::exchange(lost_, LostCalls{}); }

void CallsOfThread::forget_blocks(size_t count) {
  const auto end = blocks_.begin() + static_cast<ptrdiff_t>(count);
  std::for_each(blocks_.begin(), end, [](const EncodedCalls& calls) { forget_encoded(calls.block.size()); });
  blocks_.erase(blocks_.begin(), end);
}

}  // namespace oriel::log_module
