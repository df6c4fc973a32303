// The collector's lists of objects with finalizers, found in the copy of a process (heap_roots.h): one for each heap.
// They have all such objects, those in use too, and keep only those alive whose finalizers are to run next (CFinalize
// in gcpriv.h of dotnet/runtime).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtimes/coreclr/heap/memory_maps.h"
#include "runtimes/coreclr/heap/object_map.h"
#include "runtimes/coreclr/heap/page_memory.h"

namespace oriel::coreclr {

class FinalizerQueues {
 public:
  FinalizerQueues(const ObjectMap& objects, const MemoryAreas& areas) : objects_(objects), areas_(areas) {}

  // False if there is no memory.
  bool prepare();
  // Looks for lists that are described in this native memory, all of which is there.
  void look_through(uintptr_t start, uintptr_t end);

  enum class Entry : uint8_t { kNone, kListed, kToRun };
  // What a word in native memory is.
  Entry entry(uintptr_t place) const {
    if (place < lowest_ || place >= highest_) return Entry::kNone;
    for (size_t i = 0; i < count_; ++i) {
      const Queue& queue = memory_.as<Queue>()[i];
      if (place < queue.start || place >= queue.end) continue;
      return place >= queue.to_run && place < queue.to_run_end ? Entry::kToRun : Entry::kListed;
    }
    return Entry::kNone;
  }

 private:
  struct Queue {
    uintptr_t start, to_run, to_run_end, end;
  };
  static constexpr size_t kMostQueues = 1 << 12;

  bool read(uintptr_t place, Queue& queue) const;

  const ObjectMap& objects_;
  const MemoryAreas& areas_;
  PageMemory memory_;
  size_t count_ = 0;
  uintptr_t lowest_ = UINTPTR_MAX, highest_ = 0;
};

}  // namespace oriel::coreclr
