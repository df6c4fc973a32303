// One of the profilers that share the process: an unmodified other profiler, or Oriel's own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/process/foreign_call.h"
#include "runtimes/coreclr/event_mask.h"
#include "runtimes/coreclr/guests/guest_library.h"
#include "runtimes/coreclr/guests/slots.h"

namespace oriel::coreclr {

// Guests are numbered from 0 in the order in which they are added. Sets of guests are bits of a word.
inline constexpr uint32_t kMostGuests = 31;

// How callbacks are delivered; see callback_rules.def.
enum class How : uint8_t { kTold, kCombined, kAsker, kHandled };
struct CallbackRule {
  How how;
  EventMask enabling_bits;  // any of these bits; none: always
};
const CallbackRule& rule_of(CallbackSlot slot);

class Guest {
 public:
  enum class Kind : uint8_t {
    kOwn,       // Oriel itself, which nobody is informed about
    kAtStart,   // another profiler, present since the runtime started
    kAttached,  // added later; it may enable less
  };

  // `name`: for people, "libagent.so {CLSID}". A guest that could not be loaded has version 0 and is never called.
  Guest(std::string name, uint32_t number, LoadedGuest loaded, Kind kind)
      : name_(std::move(name)), number_(number), loaded_(std::move(loaded)), kind_(kind) {}

  const std::string& name() const { return name_; }
  uint32_t number() const { return number_; }
  uint32_t bit() const { return uint32_t{1} << number_; }
  int version() const { return loaded_.version; }
  bool is_oriel() const { return kind_ == Kind::kOwn; }
  bool is_attached() const { return kind_ == Kind::kAttached; }

  // The events that it enabled and may receive. Any thread.
  EventMask mask() const {
    const uint64_t both = mask_.load(std::memory_order_acquire);
    return {static_cast<uint32_t>(both), static_cast<uint32_t>(both >> 32)};
  }
  void set_mask(const EventMask& mask) {
    mask_.store(mask.low | static_cast<uint64_t>(mask.high) << 32, std::memory_order_release);
  }
  bool receives(CallbackSlot slot) const;

  // While Initialize runs, a guest may enable what must be known before managed code runs.
  bool is_starting() const { return starting_.load(std::memory_order_relaxed); }
  void set_starting(bool starting) { starting_.store(starting, std::memory_order_relaxed); }

  // The guest declared itself notification-only (LoadAsNotificationOnly): it cannot change anything. Set before it
  // enables anything.
  void set_notification_only() { notification_only_ = true; }
  bool is_notification_only() const { return notification_only_; }

  // The guest did something that cannot be undone, so it can never detach.
  void note_irreversible() { irreversible_.store(true, std::memory_order_relaxed); }
  bool did_irreversible() const { return irreversible_.load(std::memory_order_relaxed); }
  // Whether it enabled flags that hold until the process ends.
  bool has_immutable_flags() const;

  // The guest is called no more, and its requests are refused. Reported once, by name, with the reason.
  void leave_out(const std::string& why);
  // The same without a report. Returns false if it was out already.
  bool retire();
  bool is_out() const { return out_.load(); }
  // Whether any thread is in one of its callbacks. Known only for guests that can detach.
  bool is_busy() const { return inside_.load() != 0; }
  // The guest has detached: releases the reference to it. Once no thread is in it.
  void release() { loaded_.callback = {}; }

  // Statistics of what it did so far.
  void note_changed_method() { changed_methods_.fetch_add(1, std::memory_order_relaxed); }
  uint64_t changed_methods() const { return changed_methods_.load(std::memory_order_relaxed); }
  // Time in its callbacks and what they called, for all threads together, without callbacks that are too short and
  // frequent to time.
  uint64_t nanoseconds() const { return nanoseconds_.load(std::memory_order_relaxed); }
  // `told` is called once, when it is left out or retires. Set before others know the guest.
  void set_out_handler(std::function<void()> told) { out_handler_ = std::move(told); }

  // Calls a slot, whatever the guest enabled; kOk if it has no such slot. If it throws, it is left out.
  template <CallbackSlot Slot, typename... Arguments>
  HResult call(Arguments... arguments) {
    if (version_of(Slot) > loaded_.version) return kOk;
    const Visit visit(*this);
    return call_held<Slot>(arguments...);
  }
  // The same between hold() and let_go(), for callbacks that come millions of times.
  template <CallbackSlot Slot, typename... Arguments>
  HResult call_held(Arguments... arguments) {
    // Checked after the visit is counted: either a thread that waits for the guest to be idle sees this visit, or this
    // sees that the guest is out.
    if (is_out()) return kOk;
    try {
      const Timed timed(is_timed(Slot) && !is_oriel() ? &nanoseconds_ : nullptr);
      return foreign_call([&] { return (loaded_.callback.get()->*MemberOf<Slot>::value)(arguments...); });
    } catch (...) {
      leave_out(std::string("it threw an exception out of ") + name_of(Slot));
      return kFail;
    }
  }

  // The guest stays in the process between these two.
  void hold() { inside_.fetch_add(1); }
  void let_go() { inside_.fetch_sub(1); }

  // Its last callback, which it gets although it is out.
  void notify_detached();

 private:
  // Callbacks for each object, reference or call of native code are too frequent to be timed.
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

  // Counts the threads in its callbacks, unless it can never detach, because all threads would write to one place.
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
  bool notification_only_ = false;
  std::atomic<bool> starting_{false};
  std::atomic<bool> irreversible_{false};
  std::atomic<bool> out_{false};
  std::function<void()> out_handler_;
  std::atomic<uint32_t> inside_{0};
  std::atomic<uint64_t> changed_methods_{0};
  std::atomic<uint64_t> nanoseconds_{0};
};

}  // namespace oriel::coreclr
