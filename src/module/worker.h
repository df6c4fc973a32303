// A module's own thread beside the program's: does a piece of work every so often, until it is stopped.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace oriel::modules {

class Worker {
 public:
  // Returns how long to wait until the next time; negative: never again. Must not throw.
  using Work = std::function<std::chrono::milliseconds()>;

  // Starts the thread, whose first work is after `first`. It is a profiler's own (oriel_thread_attach_tools), and the
  // program's signals do not reach it. `name` has at most 15 bytes. False if the system refuses a thread.
  bool start(const char* name, std::chrono::milliseconds first, Work work);

  // Has the work done now, but not sooner than kRest after the last. Any thread; may lock, not async-safe.
  void hurry();

  // Waits for the work under way and ends the thread. False if that takes longer than `wait`, as for one that waits for
  // a disk; the thread then goes on by itself, and what it works on is its own for good: this too must live on.
  bool stop(std::chrono::milliseconds wait);

 private:
  static constexpr std::chrono::milliseconds kRest{5};
  void run();

  const char* name_ = "";
  std::chrono::milliseconds first_{0};
  Work work_;
  pthread_t thread_{};
  bool started_ = false;  // and not yet stopped
  std::mutex mutex_;
  std::condition_variable changed_;  // the next three, which `mutex_` guards
  bool stopping_ = false;
  bool hurried_ = false;
  bool left_ = false;
};

}  // namespace oriel::modules
