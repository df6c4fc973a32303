#include "engine/heap/walk_bounds.h"

#include <atomic>
#include <exception>

#include "base/clock.h"
#include "engine/heap/free_memory.h"

namespace oriel {
namespace {

// In bytes. A gigabyte takes a second or two.
std::atomic<uint64_t> smallest_that_takes_too_long{uint64_t{8} << 30};

bool is_enough_memory_left() {
  try {
    return free_memory() >= kMemoryToLeave;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

bool WalkBounds::are_reached_now() {
  constexpr uint64_t kBetweenLooks = 50'000'000;
  if (!is_in_process() || reached_ != CopyOutcome::kDone) return reached_ != CopyOutcome::kDone;
  const uint64_t now = clock_monotonic_ns();
  if (now > end_ns_) {
    reached_ = CopyOutcome::kTooLong;
  } else if (now > next_look_ns_) {
    next_look_ns_ = now + kBetweenLooks;
    if (!is_enough_memory_left()) reached_ = CopyOutcome::kMemoryIsNeeded;
  }
  return reached_ != CopyOutcome::kDone;
}

std::string obstacle_to_stopped_walk(uint64_t heap) {
  constexpr uint64_t kWalksOwn = 32u << 20;  // and 3.3 % of the heap
  const auto megabytes = [](uint64_t bytes) { return std::to_string(bytes >> 20) + " MB"; };
  if (heap >= smallest_that_takes_too_long)
    return "a walk over " + megabytes(heap) + " of objects would stop the program for too long";
  const uint64_t wanted = kMemoryToLeave + kWalksOwn + heap / 30, left = free_memory();
  if (left >= wanted) return "";
  return "a walk over the heap may need " + megabytes(wanted) + " of memory, and " + megabytes(left) + " are free";
}

void stopped_walk_took_too_long(uint64_t heap) {
  if (heap < smallest_that_takes_too_long) smallest_that_takes_too_long = heap;
}

}  // namespace oriel
