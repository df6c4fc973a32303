// What the copy of a process finds in its heap and leaves for the process, in memory that both share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "oriel/heap.h"
#include "runtimes/coreclr/heap/page_memory.h"

namespace oriel::coreclr {

struct TypeOnHeap {
  uintptr_t table;  // method table, which is also its ClassID
  uint64_t objects, bytes;
  uint32_t base_size, element_size;
  uint32_t first_offset, slots, element_slots;  // in `offsets`: those of the object, then those of an element
};

struct RootOnHeap {
  uint64_t object;
  uint64_t holder;  // as in oriel_heap_root
  uintptr_t place;  // of a static, its address; of a stack, an address in the code it most likely belongs to
  uintptr_t table;  // of a static, its class's method table, 0 if not known
  uint32_t thread;  // of a stack, the thread's OS id
  oriel_heap_root_kind kind;
};

enum class CopyOutcome : uint32_t {
  kRunning,  // or it was killed
  kDone,
  kNoMemory,
  kUnknownLayout,  // objects are not as method_table.h has them
  kRefused,        // by the runtime
  kVisitorFailed,  // `error` says why
  kFault,          // it read memory that is not there
};

struct FoundHeap {
  static constexpr uint32_t kMostTypes = 1 << 17, kMostOffsets = 1 << 21, kMostRoots = 1 << 20;

  CopyOutcome outcome;
  int error;
  uint64_t objects, bytes, slots, walked_ns;
  uint32_t types_count, offsets_count, roots_count;
  bool roots_cut;      // there were more
  bool roots_missing;  // memory could not be looked through
  TypeOnHeap types[kMostTypes];
  uint32_t offsets[kMostOffsets];
  RootOnHeap roots[kMostRoots];

  void add_root(const RootOnHeap& root) {
    if (roots_count == kMostRoots)
      roots_cut = true;
    else
      roots[roots_count++] = root;
  }
};

}  // namespace oriel::coreclr
