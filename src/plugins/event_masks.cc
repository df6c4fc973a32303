#include "plugins/event_masks.h"

namespace oriel::plugins {
namespace {

EventMask both(const EventMask& a, const EventMask& b) { return {a.low | b.low, a.high | b.high}; }
EventMask immutable_of(const EventMask& mask) {
  return {mask.low & coreclr::kMonitorImmutable, mask.high & coreclr::kHighMonitorImmutable};
}
bool has_more(const EventMask& wanted, const EventMask& allowed) {
  return (wanted.low & ~allowed.low) != 0 || (wanted.high & ~allowed.high) != 0;
}

}  // namespace

void EventMasks::begin(Phase phase) {
  const std::lock_guard guard(lock_);
  phase_ = phase;
  is_attached_ = phase == Phase::kAttaching;
}

HResult EventMasks::run() {
  const std::lock_guard guard(lock_);
  phase_ = Phase::kRunning;
  const EventMask all = all_held();
  return runtime_.SetEventMask2(all.low, all.high);
}

EventMask EventMasks::all_held() const {
  EventMask all = kept_;
  for (const auto& [owner, part] : parts_) all = both(all, part);
  return all;
}

EventMask EventMasks::all() {
  const std::lock_guard guard(lock_);
  return all_held();
}

HResult EventMasks::refusal(const EventMask& wanted) const {
  constexpr EventMask kLate = {coreclr::kMonitorAfterAttach, coreclr::kHighMonitorAfterAttach};
  if (is_attached_ && has_more(wanted, kLate)) return coreclr::kNotWhenAttached;
  return phase_ == Phase::kRunning && has_more(immutable_of(wanted), all_held()) ? com::kFail : com::kOk;
}

HResult EventMasks::put(const void* owner, const EventMask& wanted) {
  if (const HResult refused = refusal(wanted); com::failed(refused)) return refused;
  const EventMask before = parts_[owner];
  parts_[owner] = wanted;
  if (phase_ != Phase::kRunning) return com::kOk;
  const EventMask all = all_held();
  const HResult result = runtime_.SetEventMask2(all.low, all.high);
  if (com::failed(result)) parts_[owner] = before;
  return result;
}

HResult EventMasks::add(const void* owner, const EventMask& more) {
  const std::lock_guard guard(lock_);
  const auto mine = parts_.find(owner);
  return put(owner, mine == parts_.end() ? more : both(mine->second, more));
}

// Bits that hold until the process ends stay set.
HResult EventMasks::set(const void* owner, const EventMask& wanted) {
  const std::lock_guard guard(lock_);
  const auto mine = parts_.find(owner);
  const bool holds = phase_ == Phase::kRunning && mine != parts_.end();
  return put(owner, holds ? both(wanted, immutable_of(mine->second)) : wanted);
}

void EventMasks::remove(const void* owner) {
  const std::lock_guard guard(lock_);
  const auto mine = parts_.find(owner);
  if (mine == parts_.end()) return;
  kept_ = both(kept_, immutable_of(mine->second));
  parts_.erase(mine);
  if (phase_ != Phase::kRunning) return;
  const EventMask all = all_held();
  runtime_.SetEventMask2(all.low, all.high);
}

}  // namespace oriel::plugins
