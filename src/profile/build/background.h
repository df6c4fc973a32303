// Work that comes in batches. A thread of its own does one batch after another, while the caller makes further ones.
// Where there is one processor, or no thread can be had, the caller's thread does it.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/process/own_thread.h"

namespace oriel::profile {

template <typename Batch>
class Background {
 public:
  // `work` leaves the batch empty, with the room that the next one may use. So many batches may wait, `most_waiting`.
  Background(size_t most_waiting, std::function<void(Batch&)> work)
      : work_(std::move(work)), most_waiting_(most_waiting) {
    spare_.reserve(most_waiting_);
    const auto run_it = [](void* self) -> void* {
      static_cast<Background*>(self)->run();
      return nullptr;
    };
    has_thread_ = std::thread::hardware_concurrency() > 1 && start_own_thread(thread_, run_it, this) == 0;
  }
  ~Background() {
    {
      const std::lock_guard guard(lock_);
      waiting_.clear();
    }
    end();
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Takes the batch, and leaves an empty one. Waits while many are not done yet. Throws what `work` threw, also of an
  // earlier batch.
  void add(Batch& batch) {
    if (!has_thread_) return work_(batch);
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return waiting_.size() < most_waiting_ || failed_ != nullptr; });
    if (failed_ != nullptr) std::rethrow_exception(failed_);
    waiting_.push_back(std::exchange(batch, {}));
    if (!spare_.empty()) {
      batch = std::move(spare_.back());
      spare_.pop_back();
    }
    changed_.notify_all();
  }

  // Waits until all is done; no further batch may come. Throws as add().
  void finish() {
    end();
    if (failed_ != nullptr) std::rethrow_exception(failed_);
  }

 private:
  void end() {
    {
      const std::lock_guard guard(lock_);
      ends_ = true;
    }
    changed_.notify_all();
    if (std::exchange(has_thread_, false)) pthread_join(thread_, nullptr);
  }

  void run() {
    std::unique_lock guard(lock_);
    while (true) {
      changed_.wait(guard, [this] { return ends_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      Batch batch = std::move(waiting_.front());
      waiting_.pop_front();
      guard.unlock();
      std::exception_ptr failed;
      try {
        work_(batch);
      } catch (...) {
        failed = std::current_exception();
      }
      guard.lock();
      if (failed != nullptr) {
        failed_ = failed;
        waiting_.clear();
      } else if (spare_.size() < most_waiting_) {
        spare_.push_back(std::move(batch));
      }
      changed_.notify_all();
    }
  }

  std::function<void(Batch&)> work_;
  size_t most_waiting_;
  std::mutex lock_;  // guards the next five
  std::condition_variable changed_;
  std::deque<Batch> waiting_;
  std::vector<Batch> spare_;
  std::exception_ptr failed_;
  bool ends_ = false;
  pthread_t thread_{};
  bool has_thread_ = false;
};

}  // namespace oriel::profile
