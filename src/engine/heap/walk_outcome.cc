#include "engine/heap/walk_outcome.h"

#include <cerrno>
#include <cstring>

#include "engine/heap/walk_bounds.h"

namespace oriel {

// A gigabyte takes a second or two.
std::chrono::seconds most_cpu_of_walk(uint64_t heap) {
  constexpr uint64_t kBytesASecond = 50 << 20;
  return std::chrono::seconds(20 + heap / kBytesASecond);
}

Status status_of(const FoundHeap& found) {
  switch (found.outcome) {
    case CopyOutcome::kDone:
      return Status::ok();
    case CopyOutcome::kNoMemory:
      return Status::error("the walk over the heap got no memory");
    case CopyOutcome::kUnknownLayout:
      return Status::error("this runtime lays out objects in a way that Oriel does not know");
    case CopyOutcome::kRefused:
      return Status::error("the runtime does not enumerate its objects");
    case CopyOutcome::kVisitorFailed:
      return Status::error("it could not be written: " + std::string(std::strerror(found.error)));
    case CopyOutcome::kFault:
      return Status::error("the walk met memory that is not there");
    case CopyOutcome::kTooLong:
      return Status::error("the walk over the heap took longer than " + std::to_string(kLongestStopNs / 1'000'000'000) +
                           " s, for which the program was stopped");
    case CopyOutcome::kMemoryIsNeeded:
      return Status::error("the memory that is left is the program's");
    case CopyOutcome::kRunning:
      break;
  }
  return Status::error("the copy of the process ended before its work was done");
}

std::string why_not_copied(int error) {
  return error == EAGAIN ? "the limit on processes and threads is reached" : std::strerror(error);
}

}  // namespace oriel
