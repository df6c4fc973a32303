// The walk over the heap, in the copy of the process or in the stopped process itself: objects first, then what keeps
// them alive, then their values and references. Which values these are, another thread says meanwhile, in the process,
// as only there names can be asked for.
#pragma once

#include <span>

#include "engine/heap/contents.h"
#include "engine/heap/object_map.h"
#include "engine/heap/shared_heap.h"
#include "engine/heap/walk_bounds.h"
#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/heap/heap_roots.h"

namespace oriel::coreclr {

class HeapWalk {
 public:
  // All of these outlive it. `info` is at least an ICorProfilerInfo15. `threads` are those whose stacks hold roots.
  // The heap has about so many bytes. The thread that names types meanwhile has the address `helper` in its stack, if
  // it is one of the process that is walked.
  HeapWalk(ProfilerInfo& info, const oriel_heap_visitor& visitor, std::span<const FrozenRange> frozen,
           std::span<const StoppedThread> threads, uint64_t bytes, FoundHeap& found, WalkBounds bounds = {},
           uintptr_t helper = 0)
      : info_(info),
        visitor_(visitor),
        frozen_(frozen),
        threads_(threads),
        bytes_(bytes),
        found_(found),
        bounds_(bounds),
        helper_(helper) {}

  // While the runtime has stopped the program, or in a copy that was made meanwhile.
  void run();

 private:
  struct KnownType {
    uintptr_t table;
    uint32_t index;
  };
  // An object that is visited soon, when what its visit needs of memory has come.
  struct Ahead {
    ObjectID object;
    uint32_t type;
    Contents contents;  // if it has any
  };
  static constexpr uint32_t kFreeSpace = UINT32_MAX, kFailed = UINT32_MAX - 1;

  CopyOutcome walk();
  static Bool on_object(ObjectID object, void* self) { return static_cast<HeapWalk*>(self)->add(object) ? 1 : 0; }
  bool add(ObjectID object);
  bool add_frozen(const FrozenRange& range);
  uint32_t type_of(uintptr_t table, ObjectID object);
  uint32_t new_type(uintptr_t table, ObjectID object);
  bool fail(CopyOutcome outcome);
  bool find_slots(uintptr_t table, TypeOnHeap& type);
  bool is_as_the_runtime_says(const TypeOnHeap& type, ObjectID object);
  void wait_for_places();
  void visit_all(HeapRoots& roots);
  Ahead ahead(ObjectID object);
  void visit(const Ahead& its, uint64_t number, bool shows_references);
  void visit_values(const Ahead& its, uint64_t number);
  int64_t contents(const Ahead& its, uint64_t number);
  template <typename Visit>
  void for_each_reference(const TypeOnHeap& type, ObjectID object, Visit visit) const;

  ProfilerInfo& info_;
  const oriel_heap_visitor& visitor_;
  const std::span<const FrozenRange> frozen_;
  const std::span<const StoppedThread> threads_;
  const uint64_t bytes_;
  FoundHeap& found_;
  WalkBounds bounds_;
  const uintptr_t helper_;
  ObjectMap objects_;
  RepeatedContents repeated_;
  LargestTexts texts_;
  PageMemory types_;  // an open hash table
  KnownType recent_[1024] = {};
  CopyOutcome failure_ = CopyOutcome::kDone;      // of adding an object
  uintptr_t lowest_ = UINTPTR_MAX, highest_ = 0;  // objects that the collector manages
};

}  // namespace oriel::coreclr
