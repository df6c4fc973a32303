// A destructor for a thread's record.
#pragma once

#include <pthread.h>

namespace oriel {

// Calls `ends` with the record that a thread has set when that thread ends; never, if the system has no more keys. Must
// be made before threads use it, and lives as long as the process, since keys are few. The record itself is found by
// the thread's own pointer, which frequent code and signal handlers can read.
class ThreadKey {
 public:
  explicit ThreadKey(void (*ends)(void*)) {
    if (pthread_key_create(&key_, ends) != 0) key_ = ~pthread_key_t{0};
  }

  // For the calling thread. Not async-safe.
  void set(void* record) const { pthread_setspecific(key_, record); }

  // What the calling thread has set; nullptr: nothing.
  void* get() const { return pthread_getspecific(key_); }

 private:
  pthread_key_t key_{};
};

}  // namespace oriel
