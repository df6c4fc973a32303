// One of the profilers that share the process: another's, unmodified, or Oriel's own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "runtimes/coreclr/event_mask.h"
#include "runtimes/coreclr/guests/guest_library.h"
#include "runtimes/coreclr/guests/slots.h"

namespace oriel::coreclr {

// Guests are numbered from 0 as they come; what is kept of each of them is a bit in a word.
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
  enum class Kind : uint8_t {
    kOwn,       // Oriel itself, of which nobody need be told
    kAtStart,   // of another, there since the runtime started
    kAttached,  // came later: it may ask for less
  };

  // `name`: for people, "libagent.so {CLSID}". What could not be loaded is version 0 and is never called.
  Guest(std::string name, uint32_t number, LoadedGuest loaded, Kind kind)
      : name_(std::move(name)), number_(number), loaded_(std::move(loaded)), kind_(kind) {}

  const std::string& name() const { return name_; }
  uint32_t number() const { return number_; }
  uint32_t bit() const { return uint32_t{1} << number_; }
  int version() const { return loaded_.version; }
  bool is_oriel() const { return kind_ == Kind::kOwn; }
  bool is_attached() const { return kind_ == Kind::kAttached; }

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

  // It said that it only wants to hear (LoadAsNotificationOnly): it can change nothing. Before it asks for anything.
  void set_only_hears() { only_hears_ = true; }
  bool only_hears() const { return only_hears_; }

  // It did what cannot be undone: it can never leave the process.
  void note_irreversible() { irreversible_.store(true, std::memory_order_relaxed); }
  bool did_irreversible() const { return irreversible_.load(std::memory_order_relaxed); }
  // Of those flags that hold until the process ends.
  bool has_immutable_flags() const;

  // It is called no more, and what it asks is refused. Said once, by name, with the reason.
  void leave_out(const std::string& why);
  // The same, but nobody need know. False: it was out already.
  bool retire();
  bool is_out() const { return out_.load(); }
  // Is any thread in one of its callbacks? Known only of those that can leave the process.
  bool is_busy() const { return inside_.load() != 0; }
  // It left the process: its own reference goes. Once nobody is in it.
  void release() { loaded_.callback = {}; }

  // What it did so far.
  void note_changed_method() { changed_methods_.fetch_add(1, std::memory_order_relaxed); }
  uint64_t changed_methods() const { return changed_methods_.load(std::memory_order_relaxed); }
  // In its callbacks and what they called, all threads together, but for those that are too short and too many to time.
  uint64_t nanoseconds() const { return nanoseconds_.load(std::memory_order_relaxed); }
  // Called once when it is left out or retires. Set before others know the guest.
  void tell_when_out(std::function<void()> told) { told_when_out_ = std::move(told); }

  // Calls a slot, whatever it asked for; kOk where it has no such slot. What it throws leaves it out.
  template <CallbackSlot Slot, typename... Arguments>
  HResult call(Arguments... arguments) {
    if (version_of(Slot) > loaded_.version) return kOk;
    const Visit visit(*this);
    return call_held<Slot>(arguments...);
  }
  // The same between hold() and let_go(), for what comes millions of times.
  template <CallbackSlot Slot, typename... Arguments>
  HResult call_held(Arguments... arguments) {
    // After that: whoever waits for it to be left either sees us, or we see that it leaves.
    if (is_out()) return kOk;
    try {
      const Timed timed(is_timed(Slot) && !is_oriel() ? &nanoseconds_ : nullptr);
      return (loaded_.callback.get()->*MemberOf<Slot>::value)(arguments...);
    } catch (...) {
      leave_out(std::string("it threw an exception out of ") + name_of(Slot));
      return kFail;
    }
  }

  // It stays in the process meanwhile.
  void hold() { inside_.fetch_add(1); }
  void let_go() { inside_.fetch_sub(1); }

  // The last that it hears, although it is out.
  void tell_that_it_left();

 private:
  // Those that are raised for each object, reference or call into native code are more often than they are long.
  static constexpr bool is_timed(CallbackSlot slot) {
    switch (slot) {
      case CallbackSlot::kObjectAllocated:
      case CallbackSlot::kObjectReferences:
      case CallbackSlot::kHandleCreated:
      case CallbackSlot::kHandleDestroyed:
      case CallbackSlot::kManagedToUnmanagedTransition:
      case CallbackSlot::kUnmanagedToManagedTransition:
        return false;
      default:
        return true;
    }
  }

  class Timed {
   public:
    explicit Timed(std::atomic<uint64_t>* nanoseconds)
        : nanoseconds_(nanoseconds), began_(nanoseconds ? clock_monotonic_ns() : 0) {}
    ~Timed() {
      if (nanoseconds_) nanoseconds_->fetch_add(clock_monotonic_ns() - began_, std::memory_order_relaxed);
    }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

   private:
    std::atomic<uint64_t>* const nanoseconds_;  // nullptr: not timed
    const uint64_t began_;
  };

  // Counts the threads in its callbacks, unless it never can leave: all threads would write to one place.
  class Visit {
   public:
    explicit Visit(Guest& guest) : guest_(guest), counts_(!guest.is_oriel() && !guest.has_immutable_flags()) {
      if (counts_) guest_.inside_.fetch_add(1);
    }
    ~Visit() {
      if (counts_) guest_.inside_.fetch_sub(1);
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    Guest& guest_;
    const bool counts_;
  };

  const std::string name_;
  const uint32_t number_;
  LoadedGuest loaded_;
  const Kind kind_;
  std::atomic<uint64_t> mask_{0};
  bool only_hears_ = false;
  std::atomic<bool> starting_{false};
  std::atomic<bool> irreversible_{false};
  std::atomic<bool> out_{false};
  std::function<void()> told_when_out_;
  std::atomic<uint32_t> inside_{0};
  std::atomic<uint64_t> changed_methods_{0};
  std::atomic<uint64_t> nanoseconds_{0};
};

}  // namespace oriel::coreclr
