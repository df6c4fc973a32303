// The records of a heap snapshot: what the heap block holds, and the chunks of objects and references beside it.
//
// Objects are numbered from 0 in the order in which they were visited, by address within each piece of the heap. Slots
// are the places in objects that can hold a reference; all slots of all objects, in the order of the objects and by
// offset within each, are numbered from 0 too. An object's slots follow from its type and length.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace oriel::log {

// A place for a reference, in an instance or in each element of an array.
struct HeapSlot {
  uint64_t place = 0;  // offset from the object's start (in elements: from the element's start) + 1
  std::string field;   // name of the field, "" if not known or an element itself
};

struct HeapType {
  uint64_t number = 0;          // from 1; only within its snapshot
  uint64_t klass = 0;           // class id, 0 if the class is not known
  uint64_t objects = 0;         // how many there are
  uint64_t bytes = 0;           // of all of them
  uint64_t base_size = 0;       // bytes of an object, without elements
  uint64_t element_size = 0;    // bytes of an element of an array or a string; 0: objects have no length
  std::vector<HeapSlot> slots;  // by rising offset
  std::vector<HeapSlot> element_slots;
};

// Bytes of an object, rounded up to 8 as the heap does.
constexpr uint64_t heap_object_bytes(const HeapType& type, uint64_t length) {
  return (type.base_size + type.element_size * length + 7) & ~uint64_t{7};
}

// A piece of the heap.
enum class HeapGeneration : uint8_t { kGen0 = 1, kGen1, kGen2, kLarge, kPinned, kFrozen };
struct HeapSpace {
  uint64_t generation = 0;  // a HeapGeneration
  uint64_t start = 0;       // address
  uint64_t bytes = 0;
};

// What keeps an object alive, or only knows it.
enum class HeapRootKind : uint8_t {
  kStatic = 1,    // `name` is the field
  kThreadStatic,  // likewise, for the thread
  kStack,         // a local variable or parameter of `method` on `thread`
  kStrongHandle,  // GCHandle, or the runtime's own
  kPinnedHandle,
  kRefCounted,  // a COM or Objective-C wrapper
  kDependent,   // dependent handle: `object` lives while `holder` does
  kFinalizer,   // waits for its finalizer
  kNative,      // a word in the runtime's or a library's memory looks like a reference to it
  kWeakHandle,  // keeps nothing alive
};
inline constexpr uint64_t kNoHeapObject = 0;
struct HeapRoot {
  uint64_t kind = 0;                // a HeapRootKind
  uint64_t object = 0;              // its number
  uint64_t holder = kNoHeapObject;  // for a dependent handle, the number of the object that it depends on, + 1
  uint64_t thread = 0;              // thread id, for a stack
  uint64_t method = 0;              // method id, 0 if not known
  std::string name;
};

// The cause of a snapshot that is no log's, but another tool's file.
inline constexpr char kHeapDumpCause[] = "dump";

// Heap block: a snapshot. It is written after its chunks.
struct HeapSnapshot {
  uint64_t number = 0;     // from 1, within the log
  uint64_t counter = 0;    // when the program was stopped for it
  std::string cause;       // "request", "exit", "interval", "growth", "signal", "api"
  uint64_t frozen_ns = 0;  // how long the program was stopped
  uint64_t walked_ns = 0;  // how long the walk over the objects took
  uint64_t objects = 0;
  uint64_t bytes = 0;   // of objects
  uint64_t slots = 0;   // of all objects
  std::string missing;  // what is not in it and why, a sentence; "" if it is complete
  std::vector<HeapSpace> spaces;
  std::vector<HeapType> types;  // by rising number
  std::vector<HeapRoot> roots;
  std::string not_copied;  // why the program was stopped for the whole walk; "" if the walk happened in a copy
};

// What else is known of objects by their type.
enum class HeapValueKind : uint8_t {
  kContents = 1,  // of strings and of arrays without references: 0 if no other object of its type has the same
                  // contents, 1 for nothing but zeros, else a number that is the same for all that have
  kCount,         // of a collection: the places that were filled
  kFree,          // of these, those that are free again
  kDue,           // of a timer, in milliseconds from when it was set; -1: it is not set
  kPeriod,        // likewise; -1: it is due once
  kTaskFlags,     // of an async method: 0 until it has ended
  kAwait,         // of an async method: the number of the await at which it waits
  kFinalized,     // not 0 if the finalizer has run, or is suppressed
};
enum class HeapTypeKind : uint8_t { kOther, kBox, kDelegate, kClosure, kAsync };
struct HeapTypeDetails {
  uint64_t type = 0;             // its number
  uint64_t kind = 0;             // a HeapTypeKind
  std::vector<uint64_t> values;  // HeapValueKinds: of each object so many, in this order
  uint64_t storage = 0;          // of a collection: place (HeapSlot) of the array with its elements; 0: no collection
  std::string made_of;           // of a closure its lambdas, of an async method itself, as in the source; or ""
};
// How a string begins of which there are many.
struct HeapText {
  uint64_t object = 0;  // its number + 1
  std::string text;
};
// Heap details block: it is written before the heap block, after the chunks.
struct HeapDetails {
  uint64_t snapshot = 0;               // its number
  std::vector<HeapTypeDetails> types;  // those of which more is known than the heap block says
  std::vector<HeapText> texts;
};

// A chunk of objects, of slots or of values (heap_chunk.h).
struct HeapChunk {
  uint64_t snapshot = 0;           // its number
  uint64_t first = 0;              // number of the first object, slot or value
  uint64_t count = 0;              // how many
  uint64_t raw_size = 0;           // bytes before compression
  std::span<const uint8_t> frame;  // the rest of the block, a zstd frame; valid during the sink's call
};

}  // namespace oriel::log
