// The collector's lists of objects with finalizers, found by a walk over the heap (heap_roots.h): one for each heap.
// They have all such objects, those in use too, and keep only those alive whose finalizers are to run next (CFinalize
// in gcpriv.h of dotnet/runtime).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/heap/memory_maps.h"
#include "engine/heap/native_memory.h"
#include "engine/heap/object_map.h"
#include "engine/heap/page_memory.h"
#include "runtimes/coreclr/heap/method_table.h"

namespace oriel::coreclr {

class FinalizerQueues {
 public:
  FinalizerQueues(const ObjectMap& objects, const MemoryAreas& areas, const NativeMemory& native)
      : objects_(objects), areas_(areas), native_(native) {}

  // Bytes of a list's description.
  static constexpr uintptr_t kDescribed = 9 * kWord;

  // False if there is no memory.
  bool prepare();
  // Looks for lists that are described in this native memory, all of which is ready to be read.
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
  bool has_finalizer(uintptr_t object) const;

  const ObjectMap& objects_;
  const MemoryAreas& areas_;
  const NativeMemory& native_;
  PageMemory memory_;
  size_t count_ = 0;
  uintptr_t lowest_ = UINTPTR_MAX, highest_ = 0;
};

}  // namespace oriel::coreclr
