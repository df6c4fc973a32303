// The children of one node, each with a `key`: its callees by method, or its allocations by class. One thread looks up
// and adds; others may walk them concurrently from first() along `next`, newest first.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "arena.h"

namespace oriel::callgraph_module {

// T has `const void* key` and `T* next`, which do not change once it is added.
template <typename T>
class Family {
 public:
  // Any thread.
  T* first() const { return first_.load(std::memory_order_acquire); }

  // Only for the owner. The child with that key, nullptr if there is none. The last one found is cached.
  T* find(const void* key) {
    T* last = last_;
    if (last != nullptr && last->key == key) [[likely]] {
      return last;
    }
    return search(key);
  }

  // Only for the owner. Adds a child with a new key; false without memory for the index.
  bool add(T* member, Arena& arena);

 private:
  // Open addressing by key; in the arena, so growing abandons the smaller one.
  struct Index {
    size_t capacity;  // a power of two
    size_t count;
    T** slots() { return reinterpret_cast<T**>(this + 1); }
  };
  static constexpr unsigned kMostWithoutIndex = 8;

  static T** slot(Index& index, const void* key) {
    const uint64_t hash = reinterpret_cast<uintptr_t>(key) * 0x9e3779b97f4a7c15u;
    size_t at = hash >> 32 & (index.capacity - 1);
    while (index.slots()[at] != nullptr && index.slots()[at]->key != key) at = (at + 1) & (index.capacity - 1);
    return &index.slots()[at];
  }
  T* search(const void* key);
  bool grow(size_t capacity, Arena& arena);

  std::atomic<T*> first_{nullptr};
  T* last_ = nullptr;
  Index* index_ = nullptr;
};

template <typename T>
T* Family<T>::search(const void* key) {
  T* found = first_.load(std::memory_order_relaxed);
  if (index_ != nullptr) {
    found = *slot(*index_, key);
  } else {
    while (found != nullptr && found->key != key) found = found->next;
  }
  if (found != nullptr) last_ = found;
  return found;
}

template <typename T>
bool Family<T>::grow(size_t capacity, Arena& arena) {
  auto* index = static_cast<Index*>(arena.allocate(sizeof(Index) + capacity * sizeof(T*)));
  if (index == nullptr) return false;
  index->capacity = capacity;
  for (T* member = first_.load(std::memory_order_relaxed); member != nullptr; member = member->next) {
    *slot(*index, member->key) = member;
    index->count++;
  }
  index_ = index;
  return true;
}

template <typename T>
bool Family<T>::add(T* member, Arena& arena) {
  if (index_ == nullptr) {
    unsigned count = 0;
    for (const T* known = first_.load(std::memory_order_relaxed); known != nullptr; known = known->next) count++;
    if (count >= kMostWithoutIndex && !grow(4 * kMostWithoutIndex, arena)) return false;
  } else if (index_->count * 2 >= index_->capacity && !grow(index_->capacity * 2, arena)) {
    return false;
  }
  if (index_ != nullptr) {
    *slot(*index_, member->key) = member;
    index_->count++;
  }
  member->next = first_.load(std::memory_order_relaxed);
  first_.store(member, std::memory_order_release);
  last_ = member;
  return true;
}

}  // namespace oriel::callgraph_module
