// What keeps objects alive, found in the copy of the process, or in the process while it is stopped: in the memory that
// is not the heap. The runtime tells of roots only in a collection, and only profilers that have forgone concurrent
// collections from the start.
//
//   static fields   their places are in arrays on the heap; structures of the runtime's that say whose these are
//                   (DynamicStaticsInfo, methodtable.h since .NET 9) are recognized by pointing back at themselves
//   thread statics  likewise (thread_statics.h)
//   finalizers      those to run, at the end of the collector's lists (finalizer_queues.h)
//   handles         in segments of 64 KB, recognized by their header (handletablepriv.h)
//   stacks          conservatively: words that point at or into an object, above a thread's stack pointer, or anywhere
//                   in its stack while it runs native code
//   the rest        likewise, words that point at an object
#pragma once

#include <cstdint>
#include <span>

#include "engine/heap/memory_maps.h"
#include "engine/heap/native_memory.h"
#include "engine/heap/object_map.h"
#include "engine/heap/shared_heap.h"
#include "engine/heap/walk_bounds.h"
#include "runtimes/coreclr/heap/finalizer_queues.h"
#include "runtimes/coreclr/heap/thread_statics.h"

namespace oriel::coreclr {

// From the first to the end of the last object that the collector manages.
struct HeapBounds {
  uintptr_t lowest, end;
};

class HeapRoots {
 public:
  HeapRoots(const ObjectMap& objects, FoundHeap& found, HeapBounds heap, WalkBounds& bounds)
      : objects_(objects),
        found_(found),
        heap_(heap),
        bounds_(bounds),
        memory_(bounds.is_in_process() ? NativeMemory::Access::kCopied : NativeMemory::Access::kInPlace),
        thread_statics_(objects, areas_, memory_, found),
        finalizers_(objects, areas_, memory_) {}

  // Adds them to what is found. False if the process's memory could not be looked through. A thread that helps the walk
  // has this address in its stack (0: there is none).
  bool find(std::span<const StoppedThread> threads, uintptr_t helper);

  // Whether it is an array of static fields: its references are roots. Asked for all objects by rising address.
  bool is_static_storage(uintptr_t object) {
    while (next_storage_ < storages_count_ && storages()[next_storage_] < object) ++next_storage_;
    return next_storage_ < storages_count_ && storages()[next_storage_] == object;
  }

 private:
  // Where the static fields of a class begin.
  struct Statics {
    uintptr_t place, table;
  };
  static constexpr size_t kMostAreas = 1 << 16, kMostStatics = 1 << 17;

  void find_end_of_heap();
  bool is_walks_own(const MemoryArea& area) const;
  void look_at_stack(const StoppedThread& thread);
  template <typename Visit>
  void for_each_native_run(std::span<const StoppedThread> threads, Visit visit) const;
  bool is_of_heap(uintptr_t address) const;
  void look_through(uintptr_t start, uintptr_t end);
  bool look_at_handles(uintptr_t segment);
  bool is_handle_table(uintptr_t address) const;
  void add_handles(uintptr_t segment, uint32_t block, uint8_t type, uint8_t user_data);
  void look_at_word(uintptr_t place, uintptr_t value);
  uintptr_t table_of_statics(uintptr_t place, uintptr_t references) const;
  void add_statics();
  void add_storage(uintptr_t object);
  const MemoryArea* area_of(uintptr_t address) const { return areas_.around(address); }
  uintptr_t object_around(uintptr_t address) const;
  uintptr_t* storages() const { return storage_memory_.as<uintptr_t>(); }

  const ObjectMap& objects_;
  FoundHeap& found_;
  const HeapBounds heap_;
  WalkBounds& bounds_;
  PageMemory area_memory_, statics_memory_, storage_memory_, seen_memory_;
  MemoryAreas areas_;
  NativeMemory memory_;
  ThreadStatics thread_statics_;
  FinalizerQueues finalizers_;
  size_t statics_count_ = 0, storages_count_ = 0, next_storage_ = 0;
  uintptr_t end_of_heap_ = 0, helper_ = 0;
};

}  // namespace oriel::coreclr
