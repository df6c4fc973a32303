// Keeps questions to the runtime apart from unloads. The runtime does not check the ids that it is asked about: a
// question about a module, class or method that is unloaded before or during the question crashes the program.
//
// Whoever asks holds the gate, a Held; com/profiling.h requires one for such questions. A thing that is being unloaded
// is first marked as gone, in the callback that announces the unload and in which it is still whole. Then that callback
// waits until all earlier questions are answered. So a later question finds the mark, and an earlier one is answered
// while the thing still exists. Asking neither waits nor takes a lock that an unload could hold.
#pragma once

#include <cstdint>

namespace oriel::coreclr {

// Holds the gate. While it exists, no unload that is announced later gets past its callback: things that were not gone
// when it was made stay, and so do the runtime's answers about them (bodies, metadata, names). Keep it short, because
// unloads wait for it, and never hold it while calling a module or a guest. Any thread; may be nested; destroyed on the
// thread that made it.
class Held {
 public:
  Held();
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  // Whether the module or method is marked as gone. For the thread that unloads a module it is not, until the unload is
  // over.
  bool is_gone(uintptr_t id) const;
  // Like is_gone, without that exception: for data that is kept longer.
  bool is_gone_for_others(uintptr_t id) const;
  // Whether an assembly is being unloaded. Code that is found by address may then belong to the assembly, under an id
  // that is not marked.
  bool unload_is_under_way() const;
  // How many unloads of assemblies have begun so far. While this exists, the number's unloads are all that can have
  // taken things away.
  uint32_t unloads_begun() const;

 private:
  uint32_t turn_;
};

// Whether the calling thread is in a callback of the runtime or holds the gate. Otherwise it must not use data that the
// runtime's answers point to.
bool may_use_answers();

// Marks that the thread is in a callback of the runtime, which keeps the callback's subject alive until it returns. It
// delays nobody. Questions about anything else need a Held of their own.
class InCallback {
 public:
  InCallback();
  ~InCallback();
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;
};

namespace unload {

// Oriel is attached to the program once more: unloads in between were not reported.
void begin_anew();
// From now on nobody asks about the id. The next wait_for_questions waits for those who are asking already.
void gone(uintptr_t id);
// The runtime reuses the id. Call it before anyone uses the id.
void back(uintptr_t id);
// The calling thread unloads the module and may, alone, ask about it until this is called with 0. Classes are reported
// meanwhile.
void unloads_here(uintptr_t module);
// Waits until all earlier questions of other threads are answered. Returns false after naps of 10 s in all: the asker
// is stuck for another reason, and the program goes on. That is reported once.
bool wait_for_questions();
// Like wait_for_questions, in a callback that comes in cooperative mode, such as that for dynamic methods: a collection
// waits for this thread then, and a question may wait for the collection. So it naps for 100 ms at most, and reports
// nothing.
bool wait_for_questions_in_cooperative_mode();

// The calling thread begins to unload an assembly (and waits for questions as above), and has finished.
void begins();
void is_over();
// Waits until no assembly is being unloaded, for 50 ms at most. The caller does not hold the gate.
void wait_for_unloads();

}  // namespace unload
}  // namespace oriel::coreclr
