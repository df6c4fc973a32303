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

  struct Suspension {
    uint32_t reason = 0;
    uint32_t generation = 0;  // that is collected in it; 0 before the collection begins
    uint64_t begun_ns = 0;    // 0: its begin was not heard

    // Nanoseconds since its begin; 0 if that was not heard.
    uint64_t lasted(uint64_t now_ns) const { return begun_ns == 0 ? 0 : now_ns - begun_ns; }
  };

  void suspend_begin(uint32_t reason, uint64_t now_ns);
  Suspension suspension() const;
  // The one that is about to end: by the time the runtime says that it has ended, the next may have begun on another
  // thread.
  Suspension resume_begin();

 private:
  std::atomic<uint32_t> count_{0};
  std::atomic<uint32_t> running_{0};  // number, 0: none
  std::atomic<uint32_t> suspend_reason_{0};
  std::atomic<uint32_t> suspend_generation_{0};
  std::atomic<uint64_t> suspended_at_{0};
};

}  // namespace oriel::coreclr
