// One thread at a time for each method. The runtime tells of each instantiation's compilation, on any threads, while
// the body that guests change is one for all of them.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

class MethodTurns {
 public:
  // While it lives the method is the calling thread's, which may take the same turn again; first it waits for another
  // thread's end. Who has one takes none of another method.
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

  // Has the calling thread the method's turn?
  bool is_mine(const MethodKey& key);

 private:
  struct Holder {
    std::thread::id thread;
    unsigned depth = 0;
  };
  std::mutex lock_;  // the following; nobody is called under it
  std::condition_variable ended_;
  std::unordered_map<MethodKey, Holder, MethodKeyHash> holders_;
};

}  // namespace oriel::coreclr
