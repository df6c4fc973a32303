// Serializes work on one method. The runtime reports the compilation of each instantiation on any thread, but they all
// share the body that guests change.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

class MethodTurns {
 public:
  // Holds the method's turn, after waiting for another thread that has it. A thread may take the same turn again, but
  // no turn of another method meanwhile.
  class Turn {
   public:
    Turn(MethodTurns& turns, const MethodKey& key);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    MethodTurns& turns_;
    const MethodKey key_;
  };

  // Whether the calling thread has the method's turn.
  bool is_mine(const MethodKey& key);

 private:
  struct Holder {
    std::thread::id thread;
    unsigned depth = 0;
  };
  std::mutex lock_;  // guards the following; nothing is called under it
  std::condition_variable ended_;
  std::unordered_map<MethodKey, Holder, MethodKeyHash> holders_;
};

}  // namespace oriel::coreclr
