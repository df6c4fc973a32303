// The walk over Mono's heap, in the copy of the process or in the stopped process itself: Mono shows each object with
// its references; then what keeps objects alive is noted, and the objects are visited by rising address.
//
// Mono shows only references that are not null. So the places for references of a type are those where any object has
// one.
#pragma once

#include <cstdint>
#include <span>

#include "engine/heap/contents.h"
#include "engine/heap/memory_maps.h"
#include "engine/heap/native_memory.h"
#include "engine/heap/object_map.h"
#include "engine/heap/page_memory.h"
#include "engine/heap/shared_heap.h"
#include "engine/heap/stopped_threads.h"
#include "engine/heap/walk_bounds.h"
#include "oriel/heap.h"
#include "runtimes/mono/mono_types.h"

namespace oriel::mono {

// A reference that Mono's collector found, and the place that holds it (root_register.h).
struct PlacedReference {
  uintptr_t place, object;
};

class HeapWalk {
 public:
  // All of these outlive it. The heap has about so many bytes. Of the references, their places become the roots'
  // places. On the stacks of the collector's threads is what they have been at, which they do not keep.
  HeapWalk(const oriel_heap_visitor& visitor, std::span<const PlacedReference> references,
           std::span<const StoppedThread> threads, std::span<const uint32_t> collector, uint64_t bytes,
           FoundHeap& found, WalkBounds bounds)
      : visitor_(visitor),
        references_(references),
        threads_(threads),
        collector_(collector),
        bytes_(bytes),
        found_(found),
        bounds_(bounds),
        memory_(bounds.is_in_process() ? NativeMemory::Access::kCopied : NativeMemory::Access::kInPlace) {}

  // While Mono has stopped the program, or in a copy that was made meanwhile.
  void run();

 private:
  // What else is known of a type, beside what others get to know of it.
  struct TypeFacts {
    uint32_t first_mark, marks;  // words of bits: where references have been seen, by words of the object or element
    bool is_string, is_ephemerons, has_plain_elements;
  };
  struct KnownType {
    uintptr_t id;
    uint32_t index;
  };
  static constexpr uint32_t kFailed = UINT32_MAX;
  static constexpr size_t kMostMarks = size_t{1} << 23;

  CopyOutcome walk();
  bool prepare();
  static int on_object(MonoObject* object, MonoClass* klass, uintptr_t size, uintptr_t count, MonoObject** references,
                       uintptr_t* offsets, void* self);
  uint32_t add(MonoObject* object, MonoClass* klass);
  uint32_t type_of(MonoClass* klass, MonoObject* object);
  uint32_t new_type(MonoClass* klass, MonoObject* object);
  void mark(uint32_t type, std::span<const uintptr_t> offsets);
  bool list_offsets();
  void find_roots();
  uintptr_t object_around(uintptr_t address) const;
  void visit_all();
  void visit(uintptr_t object, uint64_t number);
  void visit_slots(uintptr_t object, uint64_t number, const TypeOnHeap& type);
  void add_ephemerons(uintptr_t object, uint64_t length);
  Contents contents_of_object(uintptr_t object, uint32_t type, uint64_t length) const;
  int64_t contents(uintptr_t object, uint64_t number, uint32_t type, uint64_t length);
  uint64_t length_of(uintptr_t object, uint32_t type) const;
  void fail(CopyOutcome outcome) { failure_ = outcome; }

  const oriel_heap_visitor& visitor_;
  const std::span<const PlacedReference> references_;
  const std::span<const StoppedThread> threads_;
  const std::span<const uint32_t> collector_;
  const uint64_t bytes_;
  FoundHeap& found_;
  WalkBounds bounds_;
  NativeMemory memory_;
  ObjectMap objects_;
  RepeatedContents repeated_;
  LargestTexts texts_;
  PageMemory known_types_, facts_, marks_, areas_;
  KnownType recent_[256] = {};
  size_t marks_count_ = 0;
  uint64_t met_ = 0;          // objects, so far
  uint32_t shown_ = kFailed;  // the type of the object that Mono is showing
  uintptr_t elements_offset_ = 0;
  StringLayout strings_{0, 0};
  CopyOutcome failure_ = CopyOutcome::kDone;  // of adding an object
};

}  // namespace oriel::mono
