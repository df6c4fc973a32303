// A thread of Oriel's that does what there is to do until it is told to end. It takes no signals.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <functional>

namespace oriel::coreclr {

class HelperThread {
 public:
  // Calls `work` again and again, which does a little and returns whether there was anything to do. Where there can be
  // no thread, nobody does. What `work` throws ends the work only.
  explicit HelperThread(std::function<bool()> work);
  // Waits until the thread has ended.
  ~HelperThread();
  HelperThread(const HelperThread&) = delete;
  HelperThread& operator=(const HelperThread&) = delete;

  // An address in the thread's stack; 0: there is none.
  uintptr_t stack() const { return stack_; }

 private:
  static void* run(void* self);
  void work_until_ended();

  const std::function<bool()> work_;
  pthread_t thread_{};
  std::atomic<uintptr_t> stack_{0};
  std::atomic<bool> ends_{false};
};

}  // namespace oriel::coreclr
