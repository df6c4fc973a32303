#include "runtimes/coreclr/guests/mask_union.h"

#include "runtimes/coreclr/exceptions_in_flight.h"

namespace oriel::coreclr {
namespace {

// The runtime's check before it accepts a mask; the runtime knows only one interface, Oriel's.
HResult interface_for(int version, const EventMask& wanted) {
  constexpr int kTellsReferences = 6, kHearsOfSymbols = 7;
  if ((wanted.high & kHighAddAssemblyReferences) != 0 && version < kTellsReferences) return kCallback6Required;
  if ((wanted.high & kHighInMemorySymbolsUpdated) != 0 && version < kHearsOfSymbols) return kCallback7Required;
  return kOk;
}

}  // namespace

void MaskUnion::add(Guest& guest) {
  const std::lock_guard guard(lock_);
  guests_.push_back(&guest);
}

HResult MaskUnion::set(Guest& guest, const EventMask& wanted) {
  const std::lock_guard guard(lock_);
  if (guest.is_notification_only() &&
      ((wanted.low & ~kMonitorForNotification) != 0 || (wanted.high & ~kHighMonitorForNotification) != 0))
    return kInvalidArgument;
  const EventMask before = guest.mask();
  const bool changes_immutable = ((wanted.low ^ before.low) & kMonitorImmutable) != 0 ||
                                 ((wanted.high ^ before.high) & kHighMonitorImmutable) != 0;
  if (changes_immutable && (!guest.is_starting() || guest.is_attached())) return kFail;
  const bool too_late = (wanted.low & ~kMonitorAfterAttach) != 0 || (wanted.high & ~kHighMonitorAfterAttach) != 0;
  if (guest.is_attached() && too_late) return kNotWhenAttached;
  if (const HResult lacking = interface_for(guest.version(), wanted); failed(lacking)) return lacking;
  guest.set_mask(wanted);
  const HResult result = apply();
  if (failed(result))
    guest.set_mask(before);
  else if ((wanted.low & kEnableReJit) != 0)
    guest.note_irreversible();
  return result;
}

void MaskUnion::remove(Guest& guest) {
  const std::lock_guard guard(lock_);
  const EventMask asked = guest.mask();
  guest.set_mask({});
  if (succeeded(apply())) return;
  guest.set_mask({asked.low & kMonitorImmutable, asked.high & kHighMonitorImmutable});
  apply();
}

HResult MaskUnion::need(const EventMask& mask) {
  const std::lock_guard guard(lock_);
  needed_ = needed_ | mask;
  return apply();
}

EventMask MaskUnion::in_force() const {
  const std::lock_guard guard(lock_);
  return in_force_;
}

void MaskUnion::program_starts() {
  const std::lock_guard guard(lock_);
  always_in_force_ = in_force_;
}

EventMask MaskUnion::always_in_force() const {
  const std::lock_guard guard(lock_);
  return always_in_force_;
}

HResult MaskUnion::apply() {
  EventMask all = needed_;
  for (const Guest* guest : guests_) all = all | guest->mask();
  if (all == in_force_) return kOk;
  if ((all.low & ~in_force_.low & kMonitorExceptions) != 0) forget_exceptions_in_flight();
  const HResult result = runtime_.SetEventMask2(all.low, all.high);
  if (failed(result)) return result;
  in_force_ = all;
  always_in_force_ = {always_in_force_.low & all.low, always_in_force_.high & all.high};
  return result;
}

}  // namespace oriel::coreclr
