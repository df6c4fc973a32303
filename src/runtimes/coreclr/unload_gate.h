// Keeps questions to the runtime apart from unloads. The runtime does not check what it is asked about: an id of a
// module, class or method that is gone, or that goes while it is asked about, kills the program.
//
// Whoever asks holds the gate, a Held: com/profiling.h takes such questions with one only. What is unloaded is first
// marked as gone, in the callback that announces it and in which it is still whole; then that callback waits until all
// questions that began before are answered. So a question that begins later finds the mark, and one that began before
// is answered by what is still there. Asking neither waits nor takes a lock that an unload could have.
#pragma once

#include <cstdint>

namespace oriel::coreclr {

// While it lives, no unload's announcement that comes later returns past this thread: what was not gone when it was
// made stays, and with it what the runtime answered (bodies, metadata, names). Short, as an unload waits for it, and
// never around a call of a module or a guest. Any thread, also one within another; on the thread that made it.
class Held {
 public:
  Held();
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  // Is the module, or the method, marked as gone? For the thread that unloads a module this is not until that is over.
  bool is_gone(uintptr_t id) const;
  // The same without that: for what is kept longer.
  bool is_gone_for_others(uintptr_t id) const;
  // Is an assembly being unloaded? Code that is found by its address then may be of what is going, under an id that
  // nobody marked.
  bool unload_is_under_way() const;

 private:
  uint32_t turn_;
};

// Is the calling thread in a callback of the runtime, or does it hold the gate? Else it has nothing to do with what the
// runtime's answers point to.
bool may_use_answers();

// In a callback of the runtime, which keeps what it tells of alive until it returns. It holds nobody up: what the
// callback does not tell of is asked about with a Held of its own.
class InCallback {
 public:
  InCallback();
  ~InCallback();
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;
};

namespace unload {

// Nobody asks about the id from now on: who began before is waited for by the next wait_for_questions.
void gone(uintptr_t id);
// The runtime uses the id again; before anyone meets it.
void back(uintptr_t id);
// The calling thread unloads the module, and alone may ask about it, until it is 0. Classes are told of meanwhile.
void unloads_here(uintptr_t module);
// Until all questions of other threads that began before are answered. False after 10 s of naps: then whoever asks is
// stuck for another reason, and the program goes on; that is said once.
bool wait_for_questions();
// The same in a callback that comes in cooperative mode, as of dynamic methods: a collection waits for this thread
// then, and a question may wait for the collection. So for 100 ms of naps at most, and without a word.
bool wait_for_questions_in_cooperative_mode();

// An assembly's unload begins, after which this waits for questions as above, and is over.
void begins();
void is_over();
// Waits, without holding the gate, until no assembly is being unloaded; 50 ms at most.
void wait_for_unloads();

}  // namespace unload
}  // namespace oriel::coreclr
