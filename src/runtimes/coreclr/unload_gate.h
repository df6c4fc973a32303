// Keeps the search for what is at an address apart from unloads: it may come upon an id that is being unloaded, which
// must not be asked about, and the runtime does not check. (Ids that callbacks bring are alive; records made before are
// described before they go.) No lock: neither side waits for the other for long, whatever the runtime is doing.
#pragma once

#include <atomic>
#include <cstdint>

namespace oriel::coreclr {

class UnloadGate {
 public:
  // One thread's question; what it asks in between is safe if `allowed`. Waits 50 ms at most while an unload is under
  // way. The unloading thread itself may always ask.
  class Question {
   public:
    explicit Question(UnloadGate& gate) : gate_(gate), allowed_(gate.enter()) {}
    ~Question() {
      if (allowed_) gate_.leave();
    }
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;
    bool allowed() const { return allowed_; }

   private:
    UnloadGate& gate_;
    const bool allowed_;
  };

  // Opens the gate where its scope ends, by an exception too.
  class Opening {
   public:
    explicit Opening(UnloadGate& gate) : gate_(gate) {}
    ~Opening() { gate_.open(); }
    Opening(const Opening&) = delete;
    Opening& operator=(const Opening&) = delete;

   private:
    UnloadGate& gate_;
  };

  // An unload begins on this thread: waits until the questions that other threads are asking are answered, 2 s at
  // most.
  void close();
  // It is over, on the same thread.
  void open();

 private:
  bool enter();
  void leave();
  bool is_closed_to_me() const;

  std::atomic<uint32_t> asking_{0};
  std::atomic<uint32_t> closed_{0};     // unloads under way
  std::atomic<uint64_t> closed_at_{0};  // nanoseconds, of the last
};

}  // namespace oriel::coreclr
