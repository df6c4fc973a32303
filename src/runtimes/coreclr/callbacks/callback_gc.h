// What the callbacks of collections and suspensions leave for those that follow.
#pragma once

#include <atomic>
#include <cstdint>

namespace oriel::coreclr {

// The collections and the suspension in progress. The callbacks that end them do not identify them. Written by the
// thread that suspends the program, and by the thread of a background collection when it ends.
//
// At most two collections run at a time: a background collection, and a short one that interrupts it and ends before
// it. The second pause of a background collection is a suspension of its own (GC_PREPARE). Its end comes while the
// program runs, or while another thread has suspended it. It may begin with a short one, of which only the end is
// reported.
class GcState {
 public:
  struct Collection {
    uint32_t number = 0;  // counts from 1; 0: none
    uint32_t generation = 0;
  };

  Collection begin(uint32_t generation);
  // The collection that ends, derived from the calling thread: the background one, or the one that began last. Its
  // number is 0 if no begin was reported because nobody listened then.
  Collection end();

  struct Suspension {
    uint32_t reason = 0;
    uint32_t generation = 0;  // collected in it; 0 before the collection begins
    uint64_t begun_ns = 0;    // 0: its begin was not reported

    // Nanoseconds since its begin; 0 if that was not reported.
    uint64_t lasted(uint64_t now_ns) const { return begun_ns == 0 ? 0 : now_ns - begun_ns; }
  };

  void suspend_begin(uint32_t reason, uint64_t now_ns);
  Suspension suspension() const;
  // The suspension that is about to end. By the time the runtime reports its end, another thread may have begun the
  // next.
  Suspension resume_begin();

 private:
  std::atomic<uint32_t> count_{0};
  std::atomic<Collection> running_[2] = {};  // the later one in the second place
  std::atomic<uint32_t> suspend_reason_{0};
  std::atomic<uint32_t> suspend_generation_{0};
  std::atomic<uint64_t> suspended_at_{0};
  std::atomic<uint32_t> suspended_by_{0};  // the thread
  std::atomic<Collection> oldest_{};       // the last collection of all generations, which may be a background one
  std::atomic<Collection> background_{};   // the one whose second pause began
};

}  // namespace oriel::coreclr
