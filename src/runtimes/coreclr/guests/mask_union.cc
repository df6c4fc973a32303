#include "runtimes/coreclr/guests/mask_union.h"

namespace oriel::coreclr {

void MaskUnion::add(Guest& guest) {
  const std::lock_guard guard(lock_);
  guests_.push_back(&guest);
}

HResult MaskUnion::set(Guest& guest, const EventMask& wanted) {
  const std::lock_guard guard(lock_);
  const EventMask before = guest.mask();
  const bool changes_immutable = ((wanted.low ^ before.low) & kMonitorImmutable) != 0 ||
                                 ((wanted.high ^ before.high) & kHighMonitorImmutable) != 0;
  if (changes_immutable && !guest.is_starting()) return kFail;
  guest.set_mask(wanted);
  const HResult result = apply();
  if (failed(result)) guest.set_mask(before);
  return result;
}

void MaskUnion::remove(Guest& guest) {
  const std::lock_guard guard(lock_);
  guest.set_mask({});
  apply();
}

HResult MaskUnion::need(const EventMask& mask) {
  const std::lock_guard guard(lock_);
  needed_ = needed_ | mask;
  return apply();
}

HResult MaskUnion::apply() {
  EventMask all = needed_;
  for (const Guest* guest : guests_) all = all | guest->mask();
  if (all == in_force_) return kOk;
  const HResult result = runtime_.SetEventMask2(all.low, all.high);
  if (succeeded(result)) in_force_ = all;
  return result;
}

}  // namespace oriel::coreclr
