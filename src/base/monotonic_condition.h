// A condition variable whose waits end by the monotonic clock with every C library. libc++ waits by the wall clock
// where there is no pthread_cond_clockwait (glibc before 2.30, musl): if that is set back, a wait takes as much longer.
#pragma once

#include <pthread.h>

#include <chrono>
#include <ctime>
#include <mutex>

namespace oriel {

class MonotonicCondition {
 public:
  MonotonicCondition() {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&condition_, &attributes);
    pthread_condattr_destroy(&attributes);
  }
  ~MonotonicCondition() { pthread_cond_destroy(&condition_); }
  MonotonicCondition(const MonotonicCondition&) = delete;
  MonotonicCondition& operator=(const MonotonicCondition&) = delete;

  void notify_all() { pthread_cond_broadcast(&condition_); }
  void wait(std::unique_lock<std::mutex>& lock) { pthread_cond_wait(&condition_, lock.mutex()->native_handle()); }
  // As std::condition_variable's. May return early, as if it had been notified.
  void wait_until(std::unique_lock<std::mutex>& lock, std::chrono::steady_clock::time_point until) {
    const auto since_epoch = std::chrono::ceil<std::chrono::nanoseconds>(until.time_since_epoch()).count();
    const timespec at{since_epoch / 1'000'000'000, since_epoch % 1'000'000'000};
    pthread_cond_timedwait(&condition_, lock.mutex()->native_handle(), &at);
  }
  // Whether `holds` does, at the latest after `most`.
  template <typename Condition>
  bool wait_for(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds most, Condition holds) {
    const auto until = std::chrono::steady_clock::now() + most;
    while (!holds()) {
      if (std::chrono::steady_clock::now() >= until) return false;
      wait_until(lock, until);
    }
    return true;
  }

 private:
  pthread_cond_t condition_;
};

}  // namespace oriel
