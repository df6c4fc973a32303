#include "runtimes/coreclr/callbacks/exception_messages.h"

#include <algorithm>

#include "base/clock.h"
#include "base/fnv1a.h"

namespace oriel::coreclr {
bool ExceptionMessages::take_new(ObjectFields& fields, oriel_object* exception, char (&text)[kMostBytes + 1]) {
  if (exception == nullptr) return false;
  const uintptr_t klass = object_facts(reinterpret_cast<uintptr_t>(exception)).class_id;
  const bool due = is_due();
  if (!due && !wants_more(klass)) return false;
  oriel_object* const message = fields.reference_of_base(exception, "_message");
  if (message == nullptr) return false;
  if (!is_new(klass, fnv1a(fields.units_of(message, kMostBytes))) && !due) return false;
  return fields.text_of(message, text, sizeof text) != 0;
}

bool ExceptionMessages::is_due() {
  const uint64_t now = clock_monotonic_ns();
  uint64_t due = due_.load(std::memory_order_relaxed);
  return now >= due && due_.compare_exchange_strong(due, now + kOften);
}

bool ExceptionMessages::wants_more(uintptr_t klass) {
  const std::lock_guard guard(lock_);
  return known_[klass].count < kOfClass;
}

bool ExceptionMessages::is_new(uintptr_t klass, uint64_t hash) {
  const std::lock_guard guard(lock_);
  OfClass& known = known_[klass];
  const auto end = known.hashes.begin() + static_cast<ptrdiff_t>(known.count);
  if (known.count == kOfClass || std::find(known.hashes.begin(), end, hash) != end) return false;
  known.hashes[known.count++] = hash;
  return true;
}

}  // namespace oriel::coreclr
