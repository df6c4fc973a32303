#include "runtimes/coreclr/callbacks/contention.h"

#include <cmath>
#include <utility>

#include "base/copy_memory.h"
#include "engine/engine.h"
#include "runtimes/coreclr/callbacks/event_fields.h"
#include "runtimes/coreclr/names/objects.h"
#include "runtimes/coreclr/thread_state.h"

namespace oriel::coreclr {

// ContentionStart, version 2: flags (8 bits), runtime's number (16), lock, object, owner (64 each).
std::optional<ContentionStart> read_contention_start(std::span<const uint8_t> fields) {
  uint8_t flags = 0;
  uint16_t runtime = 0;
  uint64_t object = 0;
  ContentionStart start;
  if (!read(fields, flags) || !read(fields, runtime) || !read(fields, start.lock) || !read(fields, object) ||
      !read(fields, start.owner)) {
    return std::nullopt;
  }
  start.object = object;
  return start;
}

// ContentionStop, version 1: flags (8 bits), runtime's number (16), nanoseconds (a double).
std::optional<uint64_t> read_contention_stop(std::span<const uint8_t> fields) {
  constexpr double kMost = 1e18;
  uint8_t flags = 0;
  uint16_t runtime = 0;
  double ns = 0;
  if (!read(fields, flags) || !read(fields, runtime) || !read(fields, ns)) return std::nullopt;
  return ns > 0 && ns < kMost ? static_cast<uint64_t>(std::llround(ns)) : 0;
}

// The four bytes before an object hold its lock's state. A lock that another thread waited for is too large for them,
// so they hold an index then, not a hash code.
bool is_monitor(const ContentionStart& start) {
  constexpr uint32_t kKind = 0x0c000000, kIndex = 0x08000000;
  uint32_t header = 0;
  if (start.lock <= UINT32_MAX || start.object < sizeof header) return false;
  return copy_memory(reinterpret_cast<const void*>(start.object - sizeof header), &header, sizeof header) &&
         (header & kKind) == kIndex;
}

void contention_started(std::span<const uint8_t> fields) {
  const auto start = read_contention_start(fields);
  PerThreadState* const of_this = per_thread_state();
  if (!start || of_this == nullptr) return;
  LockWait& wait = of_this->lock_wait;
  wait = {nullptr, start->lock, nullptr, true};
  if (is_monitor(*start)) wait.klass = intern_class(object_facts(start->object).class_id);
  if (start->owner != 0) wait.owner = oriel_thread_by_os_id(static_cast<uint32_t>(start->owner));
  raise_monitor_contention(wait.klass, reinterpret_cast<const void*>(wait.lock), wait.owner);
}

void contention_stopped(std::span<const uint8_t> fields) {
  const auto waited = read_contention_stop(fields);
  PerThreadState* const of_this = per_thread_state_if_any();
  if (!waited || of_this == nullptr || !of_this->lock_wait.began) return;
  const LockWait wait = std::exchange(of_this->lock_wait, {});
  raise_monitor_acquired(wait.klass, reinterpret_cast<const void*>(wait.lock), wait.owner, *waited);
}

}  // namespace oriel::coreclr
