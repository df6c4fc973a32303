// What is to happen to a thread's own record when the thread ends.
#pragma once

#include <pthread.h>

namespace oriel {

// Calls `ends` with what a thread has set when that thread ends; where the system has no more keys, never. Made before
// threads use it, and for the process's life: there are few keys. The record itself is found by the thread's own
// pointer to it, which code that runs often or in a signal handler can read.
class ThreadKey {
 public:
  explicit ThreadKey(void (*ends)(void*)) {
    if (pthread_key_create(&key_, ends) != 0) key_ = ~pthread_key_t{0};
  }

  // Of the calling thread. Not async-safe.
  void set(void* record) const { pthread_setspecific(key_, record); }

 private:
  pthread_key_t key_{};
};

}  // namespace oriel
