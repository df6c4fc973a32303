// The collection and the suspension that are under way: the callbacks that end them do not say which.
//
// The runtime tells of a background collection's first pause only, as if it were the whole; its second pause comes as a
// suspension of its own (GC_PREPARE), while the marking and sweeping beside the program go untold.
#pragma once

#include <atomic>
#include <cstdint>

namespace oriel::coreclr {

// Written by the thread that stops the program; there is one at a time.
class GcState {
 public:
  struct Collection {
    uint32_t number = 0;  // counts from 1; 0: none
    uint32_t generation = 0;
  };

  Collection begin(uint32_t generation);
  // The collection that ends. Number 0 if none was heard to begin, because nobody listened then.
  Collection end();

  void suspend_begin(uint32_t reason, uint64_t now_ns);
  uint32_t suspend_reason() const { return suspend_reason_.load(std::memory_order_relaxed); }
  // The generation collected in this suspension; 0 before the collection begins.
  uint32_t suspend_generation() const { return suspend_generation_.load(std::memory_order_relaxed); }
  // Nanoseconds since suspend_begin; 0 if that was not heard.
  uint64_t suspend_end(uint64_t now_ns);

 private:
  std::atomic<uint32_t> count_{0};
  std::atomic<uint32_t> running_{0};  // number, 0: none
  std::atomic<uint32_t> suspend_reason_{0};
  std::atomic<uint32_t> suspend_generation_{0};
  std::atomic<uint64_t> suspended_at_{0};
};

}  // namespace oriel::coreclr
