// What CoreCLR's method tables say of objects: their sizes and where their references are. Read from memory, as in a
// copy of the process nothing may be asked. The layout has been the same since .NET 5 (methodtable.h, gcdesc.h); the
// walk compares it with the runtime's answers (heap_walk.cc).
#pragma once

#include <cstdint>

namespace oriel::coreclr {

// Bytes of a reference, and of the words in which objects and tables are laid out.
inline constexpr uintptr_t kWord = 8;

// A word of the process's memory.
template <typename T>
T word_at(uintptr_t address) {
  return *reinterpret_cast<const T*>(address);
}

// An object's method table, without the bits that a collection keeps in the same word.
inline uintptr_t method_table_of(uintptr_t object) { return word_at<uintptr_t>(object) & ~uintptr_t{7}; }

// Where a method table has the address of its auxiliary data.
inline constexpr uintptr_t kAuxiliaryData = 32;

struct MethodTable {
  uint32_t base_size = 0;     // bytes of an object without elements
  uint32_t element_size = 0;  // 0: no elements
  bool has_references = false;
  bool has_finalizer = false;

  explicit MethodTable(uintptr_t address) : base_size(word_at<uint32_t>(address + 4)) {
    constexpr uint32_t kHasElements = 0x80000000, kHasReferences = 0x01000000, kHasFinalizer = 0x00100000,
                       kElementSize = 0xffff;
    const auto flags = word_at<uint32_t>(address);
    if (flags & kHasElements) element_size = flags & kElementSize;
    has_references = (flags & kHasReferences) != 0;
    has_finalizer = (flags & kHasFinalizer) != 0;
  }
};

// Where the count of an array's or string's elements is.
inline constexpr uintptr_t kLengthOffset = 8;

// How many elements it has, of that size; 0 of a type without.
inline uint64_t length_of(uintptr_t object, uint32_t element_size) {
  return element_size != 0 ? word_at<uint32_t>(object + kLengthOffset) : 0;
}

// The bytes that an object takes on the heap.
inline uint64_t bytes_on_heap(uint32_t base_size, uint32_t element_size, uint64_t length) {
  return (base_size + uint64_t{element_size} * length + 7) & ~uint64_t{7};
}

// Of an object whose type is described by a method table, or by what was found there.
template <typename Type>
uint64_t bytes_of(uintptr_t object, const Type& type) {
  return bytes_on_heap(type.base_size, type.element_size, length_of(object, type.element_size));
}

// Where an array's first element is: behind the header, whose size before the object is part of the base size.
inline uint32_t elements_offset(uint32_t base_size) { return base_size - 8; }

// A string's characters follow its length at once, and there is a zero behind them; so its base size is no other's.
inline constexpr uint32_t kStringBaseSize = 22, kCharactersOffset = 12;
inline bool is_string(uint32_t base_size) { return base_size == kStringBaseSize; }
inline uint32_t first_element_offset(uint32_t base_size) {
  return is_string(base_size) ? kCharactersOffset : elements_offset(base_size);
}

// Calls slot(offset) for each reference in an object without elements, and element_slot(offset in the element) for each
// reference in an element, by the table's GC descriptor (gcdesc.h), which lies before it, backwards: a count of series;
// negative for arrays of structures with references, whose one series is a pattern. False if it makes no sense.
template <typename Slot, typename ElementSlot>
bool for_each_slot(uintptr_t table, const MethodTable& facts, Slot slot, ElementSlot element_slot) {
  constexpr int64_t kMostSeries = 1 << 16;
  if (!facts.has_references) return true;
  const auto count = word_at<int64_t>(table - 8);
  if (count == 0 || count > kMostSeries || count < -kMostSeries) return false;
  if (count < 0) {
    const auto start = word_at<uint64_t>(table - 16);
    uint64_t offset = start - elements_offset(facts.base_size);
    for (int64_t i = 0; i < -count; ++i) {
      const uintptr_t item = table - 24 - static_cast<uintptr_t>(i) * 8;
      const auto pointers = word_at<uint32_t>(item), skip = word_at<uint32_t>(item + 4);
      for (uint32_t k = 0; k < pointers; ++k, offset += 8) {
        if (offset >= facts.element_size) return false;
        element_slot(static_cast<uint32_t>(offset));
      }
      offset += skip;
    }
    return true;
  }
  if (facts.element_size != 0) {  // elements are references, or structures of nothing else
    if (facts.element_size % 8 != 0) return false;
    for (uint32_t offset = 0; offset < facts.element_size; offset += 8) element_slot(offset);
    return true;
  }
  // The lowest series is the last one before the table.
  for (int64_t i = count; i > 0; --i) {
    const uintptr_t series = table - 8 - static_cast<uintptr_t>(i) * 16;
    const uint64_t bytes = word_at<uint64_t>(series) + facts.base_size, start = word_at<uint64_t>(series + 8);
    if (bytes > facts.base_size || start < 8 || start + bytes > facts.base_size) return false;
    for (uint64_t at = 0; at < bytes; at += 8) slot(static_cast<uint32_t>(start + at));
  }
  return true;
}

}  // namespace oriel::coreclr
