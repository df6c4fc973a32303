// The thread-static fields of all threads, found by a walk over the heap (heap_roots.h). Since .NET 9 each thread has
// an array of objects on the heap, with a place for each class that has such fields; its fields that hold references
// are an array there, too. Which class has which place, the runtime keeps in a map in native memory (threadstatics.h,
// methodtable.h of dotnet/runtime).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/heap/memory_maps.h"
#include "engine/heap/native_memory.h"
#include "engine/heap/object_map.h"
#include "engine/heap/shared_heap.h"
#include "engine/heap/stopped_threads.h"

namespace oriel::coreclr {

class ThreadStatics {
 public:
  ThreadStatics(const ObjectMap& objects, const MemoryAreas& areas, const NativeMemory& native, FoundHeap& found)
      : objects_(objects), areas_(areas), native_(native), found_(found) {}

  // False if there is no memory.
  bool prepare();

  // Looks at a word of native memory that is not 0. True if it is a thread's reference to its array.
  bool look_at(uintptr_t place, uintptr_t value);

  // Adds the fields as roots. Calls storage(object) for each array of fields: what it refers to, the roots do.
  template <typename Storage>
  void add(std::span<const StoppedThread> threads, Storage storage) {
    for (size_t i = 0; i < count_; ++i) {
      const OfThread& of = memory_.as<OfThread>()[i];
      const uint32_t thread = os_id_of(of.place, threads);
      if (map_ == 0) {
        found_.add_root({objects_.number_of(of.array), 0, 0, 0, thread, ORIEL_HEAP_THREAD_STATIC});
        continue;
      }
      storage(of.array);
      for (uint32_t index = 0; const uintptr_t fields = fields_at(of.array, index); ++index)
        if (fields != kNoFields && add_fields(fields, table_at(index + kFirstIndex), thread)) storage(fields);
    }
  }

 private:
  struct OfThread {
    uintptr_t place, array;
  };
  static constexpr size_t kMostThreads = 1 << 16;
  static constexpr uint32_t kFirstIndex = 2;  // places below it are not in the array
  static constexpr uintptr_t kNoFields = 1;

  bool is_array_of_thread(uintptr_t place, uintptr_t array) const;
  bool is_map(uintptr_t place, uintptr_t entries) const;
  bool has_index(uintptr_t entry, uint32_t index) const;
  uintptr_t fields_at(uintptr_t array, uint32_t index) const;
  uintptr_t table_at(uint32_t index) const;
  bool add_fields(uintptr_t fields, uintptr_t table, uint32_t thread);
  // Whether a word of the runtime's thread that its data refer to is it.
  template <typename IsIt>
  bool thread_has(uintptr_t data, IsIt is_it) const;
  // 0 if not found among them.
  uint32_t os_id_of(uintptr_t place, std::span<const StoppedThread> threads) const;

  const ObjectMap& objects_;
  const MemoryAreas& areas_;
  const NativeMemory& native_;
  FoundHeap& found_;
  PageMemory memory_;
  size_t count_ = 0;
  uintptr_t map_ = 0;  // its entries; 0: not found
  uint32_t map_count_ = 0;
};

}  // namespace oriel::coreclr
