// What a walk over the heap came to, in words; and how long it may take.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "engine/heap/shared_heap.h"

namespace oriel {

// In a copy of the process, by the clock, and CPU time for a heap of so many bytes.
inline constexpr std::chrono::seconds kLongestWalk{300};
std::chrono::seconds most_cpu_of_walk(uint64_t heap);

Status status_of(const FoundHeap& found);

// For an errno with which the copy was not made.
std::string why_not_copied(int error);

}  // namespace oriel
