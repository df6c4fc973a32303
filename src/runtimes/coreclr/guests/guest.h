// One of the profilers that share the process: another's, unmodified, or Oriel's own.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "runtimes/coreclr/event_mask.h"
#include "runtimes/coreclr/guests/guest_library.h"
#include "runtimes/coreclr/guests/slots.h"

namespace oriel::coreclr {

// Guests are numbered from 0, in their order; what is kept of each of them is a bit in a word.
inline constexpr uint32_t kMostGuests = 31;

// What each callback is, as callback_rules.def has it.
enum class How : uint8_t { kTold, kCombined, kAsker, kHandled };
struct CallbackRule {
  How how;
  EventMask heard_for;  // any of these bits; none: always
};
const CallbackRule& rule_of(CallbackSlot slot);

class Guest {
 public:
  // `name`: for people. `own`: it is Oriel itself, of which nobody need be told.
  Guest(std::string name, uint32_t number, LoadedGuest loaded, bool own)
      : name_(std::move(name)), number_(number), loaded_(std::move(loaded)), own_(own) {}

  const std::string& name() const { return name_; }
  uint32_t number() const { return number_; }
  uint32_t bit() const { return uint32_t{1} << number_; }
  bool is_oriel() const { return own_; }

  // What it asked for, and may hear. Any thread.
  EventMask mask() const {
    const uint64_t both = mask_.load(std::memory_order_acquire);
    return {static_cast<uint32_t>(both), static_cast<uint32_t>(both >> 32)};
  }
  void set_mask(const EventMask& mask) {
    mask_.store(mask.low | static_cast<uint64_t>(mask.high) << 32, std::memory_order_release);
  }
  bool hears(CallbackSlot slot) const;

  // Between the begin of Initialize and its end it may ask for what must be known before managed code runs.
  bool is_starting() const { return starting_.load(std::memory_order_relaxed); }
  void set_starting(bool starting) { starting_.store(starting, std::memory_order_relaxed); }

  // It is called no more. Said once, by name, with the reason.
  void leave_out(const std::string& why);
  // The same, but nobody need know.
  void retire() { out_.store(true, std::memory_order_release); }
  bool is_out() const { return out_.load(std::memory_order_acquire); }

  // Calls a slot, whatever it asked for; kOk where it has no such slot. What it throws leaves it out.
  template <CallbackSlot Slot, typename... Arguments>
  HResult call(Arguments... arguments) {
    if (version_of(Slot) > loaded_.version || is_out()) return kOk;
    try {
      return (loaded_.callback.get()->*MemberOf<Slot>::value)(arguments...);
    } catch (...) {
      leave_out(std::string("it threw an exception out of ") + name_of(Slot));
      return kFail;
    }
  }

 private:
  const std::string name_;
  const uint32_t number_;
  const LoadedGuest loaded_;
  const bool own_;
  std::atomic<uint64_t> mask_{0};
  std::atomic<bool> starting_{false};
  std::atomic<bool> out_{false};
};

}  // namespace oriel::coreclr
