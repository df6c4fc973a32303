#include "profile/build/call_lane.h"

#include <utility>

#include "log/block_decoder.h"
#include "log/field_reader.h"

namespace oriel::profile {
namespace {

constexpr size_t kRecordsAtOnce = 1 << 14;  // or CallLane::kBytesAtOnce

// How much memory a step takes beside itself, and how many records it has.
struct Size {
  size_t bytes = 0;
  size_t records = 1;
};
Size size_of(const EncodedCalls& encoded) {
  return {encoded.contents.size() + encoded.class_sizes.size() * sizeof(ClassSize), encoded.head.count};
}
Size size_of(const DecodedCalls& decoded) { return {decoded.calls.size() * sizeof(log::Call), decoded.calls.size()}; }
Size size_of(const LoggedEvent&) { return {}; }
Size size_of(const PassedOver& passed) { return {passed.stack.opened.size() * sizeof(uint64_t)}; }
Size size_of(const LostCalls&) { return {}; }
Size size_of(const Hole&) { return {}; }

}  // namespace

void CallLane::add(CallStep step) {
  const Size size = std::visit([](const auto& its) { return size_of(its); }, step);
  records_ += size.records;
  bytes_ += sizeof step + size.bytes;
  batch_.push_back(std::move(step));
  hand_over_if_full();
}

void CallLane::add(EncodedCalls calls, const std::vector<ClassSizesTold>& all_sizes) {
  calls.class_sizes.assign(all_sizes.begin() + static_cast<ptrdiff_t>(sizes_), all_sizes.end());
  sizes_ = all_sizes.size();
  add(CallStep(std::move(calls)));
}

void CallLane::add(uint32_t thread, std::span<const log::Call> calls) {
  auto* const last = batch_.empty() ? nullptr : std::get_if<DecodedCalls>(&batch_.back());
  if (last == nullptr || last->thread != thread)
    return add(CallStep(DecodedCalls{thread, {calls.begin(), calls.end()}}));
  last->calls.insert(last->calls.end(), calls.begin(), calls.end());
  records_ += calls.size();
  bytes_ += calls.size_bytes();
  hand_over_if_full();
}

void CallLane::hand_over_if_full() {
  if (records_ < kRecordsAtOnce && bytes_ < kBytesAtOnce) return;
  records_ = bytes_ = 0;
  if (!background_) background_.emplace(kMostWaiting, [this](Batch& batch) { take(batch); });
  background_->add(batch_);
}

void CallLane::join() {
  if (background_) background_->finish();
  take(batch_);
}

void CallLane::take(Batch& batch) {
  for (const CallStep& step : batch) std::visit([this](const auto& its) { take(its); }, step);
  batch.clear();
}

void CallLane::take(const EncodedCalls& encoded) {
  for (const ClassSizesTold& told : encoded.class_sizes)
    for (const ClassSize& size : *told) class_sizes_.set(size.id, size.bytes);
  if (decoder_ == nullptr) decoder_ = std::make_unique<log::CallsDecoder>(static_cast<log::EventSink&>(*this));
  log::Cursor in{encoded.contents.data(), encoded.contents.data() + encoded.contents.size()};
  thread_ = encoded.thread;
  if (decoder_->decode(encoded.head, in, class_sizes_)) return;
  if (damaged_.count++ < DamagedBlocks::kMostKept)
    damaged_.first.push_back({encoded.block.offset, log::damage_of(encoded.block, in)});
  calls_.lose(encoded.thread);
}

void CallLane::on_event(const log::Event& event) {
  if ((event.stack & kIsNode) == 0) return calls_.add(thread_, event);
  log::Event without = event;
  without.stack = 0;  // no log has such an id
  calls_.add(thread_, without);
}

}  // namespace oriel::profile
