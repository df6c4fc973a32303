// What a walk finds in the heap and leaves for those who asked: in memory that a copy of the process shares with it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/heap/page_memory.h"
#include "oriel/heap.h"

namespace oriel {

struct TypeOnHeap {
  uintptr_t table;  // the runtime's id of it
  uint64_t objects, bytes;
  uint32_t base_size, element_size;
  uint32_t first_offset, slots, element_slots;  // in `offsets`: those of the object, then those of an element
  bool has_finalizer;
};

// Strings, and arrays without references.
inline bool has_contents(const TypeOnHeap& type) {
  return type.element_size != 0 && type.slots == 0 && type.element_slots == 0;
}

// A value to be read of each object of a type.
struct ValuePlace {
  int32_t offset;  // from the object's start; before it is its header
  uint32_t mask;   // of the word of 32 bits there; a value whose upper bit is set is negative
};
struct PlacesOfType {
  uint32_t first, count;  // in `places`
};

// A string that many others are equal to.
struct TextOnHeap {
  static constexpr uint32_t kMostUnits = 240;
  uint64_t object;
  uint32_t units;
  char16_t text[kMostUnits];
};

struct RootOnHeap {
  uint64_t object;
  uint64_t holder;  // as in oriel_heap_root
  // Of a static its address; of a thread static its place among those of its class, from the last; of a stack an
  // address in the code it most likely belongs to.
  uintptr_t place;
  uintptr_t table;  // of a static, the runtime's id of its class, 0 if not known
  uint32_t thread;  // of a stack or a thread static, the thread's OS id; 0: not known
  oriel_heap_root_kind kind;
};

enum class CopyOutcome : uint32_t {
  kRunning,  // or a copy was killed
  kDone,
  kNoMemory,
  kUnknownLayout,  // objects are not laid out as the walk takes them to be
  kRefused,        // by the runtime
  kVisitorFailed,  // `error` says why
  kFault,          // it read memory that is not there
  kTooLong,        // in the process
  kMemoryIsNeeded  // in the process, whose own it would have been
};

struct FoundHeap {
  static constexpr uint32_t kMostTypes = 1 << 17, kMostOffsets = 1 << 21, kMostRoots = 1 << 20, kMostPlaces = 1 << 18,
                            kMostTexts = 100;

  CopyOutcome outcome;
  int error;
  uint64_t objects, bytes, slots, walked_ns;
  uint32_t types_count, offsets_count, roots_count;
  bool roots_cut;      // there were more
  bool roots_missing;  // memory could not be looked through
  bool has_values;     // the visitor got values: contents
  bool has_places;     // and those at `places`
  TypeOnHeap types[kMostTypes];
  uint32_t offsets[kMostOffsets];
  RootOnHeap roots[kMostRoots];
  uint32_t texts_count;
  TextOnHeap texts[kMostTexts];

  // While a copy looks for types, if its walk counts it: how many objects it has met.
  std::atomic<uint64_t> progress;

  // The copy has found all types; then the process has said which values it is to read.
  std::atomic<bool> types_are_known, places_are_known;
  PlacesOfType places_of[kMostTypes];
  ValuePlace places[kMostPlaces];

  void add_root(const RootOnHeap& root) {
    if (roots_count == kMostRoots)
      roots_cut = true;
    else
      roots[roots_count++] = root;
  }
};

}  // namespace oriel
