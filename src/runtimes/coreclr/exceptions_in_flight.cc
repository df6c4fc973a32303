#include "runtimes/coreclr/exceptions_in_flight.h"

#include <atomic>
#include <new>

#include "runtimes/coreclr/object_pins.h"
#include "runtimes/coreclr/thread_state.h"
#include "runtimes/coreclr/wrapped_exceptions.h"

namespace oriel::coreclr {
namespace {

std::atomic<ProfilerInfo*> runtime_with_pins{nullptr};
std::atomic<uint32_t> listening_generation{0};

void release_pin(ExceptionStack::Handle handle) {
  if (ProfilerInfo* const runtime = runtime_with_pins.load(std::memory_order_relaxed)) unpin_object(*runtime, handle);
}

// The calling thread's stack of exceptions; nullptr if there is no memory for it.
ExceptionStack* own_stack() {
  PerThreadState* const own = per_thread_state();
  if (own == nullptr) return nullptr;
  const uint32_t now = listening_generation.load(std::memory_order_acquire);
  if (own->exceptions.generation != now) own->exceptions.stack.clear(release_pin);
  own->exceptions.generation = now;
  return &own->exceptions.stack;
}

}  // namespace

// On kSamePlace: the calls for one exception come through functions with frames of different sizes. Measured: 3 KB
// between the first call, which reports the throw, and the deepest, for filters; and 13 KB to the first call for an
// exception thrown within a clause, because a dispatcher's frames hold three register contexts.

void ExceptionStack::forget_below(uintptr_t place, Release release) {
  while (!entries_.empty() && entries_.back().place < place) {
    const Entry gone = entries_.back();
    entries_.pop_back();
    release_all(gone, release);
  }
}

// An exception that was reported from the same place is gone: the new one's dispatcher has taken its dispatcher's
// place.
void ExceptionStack::thrown(Handle exception, uintptr_t place, Release release, Handle beside) {
  forget_below(place + kSamePlace, release);
  if (entries_.size() == kMost) {
    release_all(entries_.front(), release);
    entries_.erase(entries_.begin());
  }
  const Entry entry = {exception, beside, place};
  try {
    entries_.push_back(entry);
  } catch (const std::bad_alloc&) {
    release_all(entry, release);
  }
}

void ExceptionStack::release_all(const Entry& entry, Release release) {
  release(entry.exception);
  if (entry.beside != 0) release(entry.beside);
}

ExceptionStack::Handle ExceptionStack::called_from(uintptr_t place, Release release) {
  forget_below(place - kSamePlace, release);
  return !entries_.empty() && entries_.back().place < place + kSamePlace ? innermost() : 0;
}

void ExceptionStack::caught_from(uintptr_t place, Release release) {
  if (called_from(place, release) != 0) forget_below(place + kSamePlace, release);
}

void ExceptionStack::clear(Release release) { forget_below(UINTPTR_MAX, release); }

void let_go(ExceptionsInFlight& exceptions) { exceptions.stack.clear(release_pin); }

void exception_thrown(ProfilerInfo& info, ObjectID exception, uintptr_t place) {
  runtime_with_pins.store(&info, std::memory_order_relaxed);
  ExceptionStack* const own = own_stack();
  if (own == nullptr || exception == 0 || pinned_object(own->called_from(place, release_pin)) == exception) return;
  const ObjectPin pin = pin_object(info, exception);
  if (pin == 0) return;
  const ObjectID wrapped = wrapped_in(info, exception);
  own->thrown(pin, place, release_pin, wrapped == 0 ? 0 : pin_object(info, wrapped));
}

ObjectID exception_called_from(uintptr_t place) {
  ExceptionStack* const own = own_stack();
  return own == nullptr ? 0 : pinned_object(own->called_from(place, release_pin));
}

void exception_caught_from(uintptr_t place) {
  if (ExceptionStack* const own = own_stack()) own->caught_from(place, release_pin);
}

void forget_exceptions_in_flight() { listening_generation.fetch_add(1, std::memory_order_acq_rel); }

void forget_pins() { runtime_with_pins.store(nullptr, std::memory_order_relaxed); }

oriel_object* innermost_exception() {
  // The runtime answers no questions from managed code.
  const PerThreadState* const own = per_thread_state_if_any();
  if (own == nullptr || own->exceptions.generation != listening_generation.load(std::memory_order_acquire))
    return nullptr;
  return reinterpret_cast<oriel_object*>(pinned_object(own->exceptions.stack.innermost()));
}

}  // namespace oriel::coreclr
