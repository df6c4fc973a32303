// What a callback remembers for those that come after it.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/things/entities.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// The collections and the suspension that are under way: the callbacks that end them do not say which. Written by the
// thread that stops the program, and by that of a background collection as it ends.
//
// Of collections there is one at a time, or a background one and a short one that interrupts it and ends before it. The
// second pause of a background one comes as a suspension of its own (GC_PREPARE), and its end when nobody is stopped,
// or another thread has stopped the program. It may begin with a short one, of which only the end is heard.
class GcState {
 public:
  struct Collection {
    uint32_t number = 0;  // counts from 1; 0: none
    uint32_t generation = 0;
  };

  Collection begin(uint32_t generation);
  // The collection that ends, as the calling thread tells: the background one, or the one that began last. Number 0 if
  // none was heard to begin, because nobody listened then.
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
  std::atomic<Collection> running_[2] = {};  // the later one behind
  std::atomic<uint32_t> suspend_reason_{0};
  std::atomic<uint32_t> suspend_generation_{0};
  std::atomic<uint64_t> suspended_at_{0};
  std::atomic<int32_t> suspended_by_{0};  // the thread
  std::atomic<Collection> oldest_{};      // the last of all generations that may be a background one
  std::atomic<Collection> background_{};  // whose second pause began
};

// Which native versions of methods were told of already. A method is compiled again for each tier and for each on-stack
// replacement; the runtime says only that it compiled it, not which version is new.
class JitState {
 public:
  // Whether any version of the method was told of.
  bool knows(const oriel_method* method);
  // Whether the version that starts there is new, and remembers it. Any thread.
  bool is_new(const oriel_method* method, uintptr_t version_start);
  // The method's code is gone.
  void forget(const oriel_method* method);

 private:
  std::mutex mutex_;
  std::unordered_map<uint32_t, std::vector<uintptr_t>> versions_;  // by the method's id
};

// Names that threads were given before they ran.
class ThreadNames {
 public:
  void keep(ThreadID thread, std::string name);
  // The name kept for the thread, which is then forgotten; "" if there is none.
  std::string take(ThreadID thread);

 private:
  std::mutex mutex_;
  std::unordered_map<ThreadID, std::string> names_;
};

}  // namespace oriel::coreclr
