#include "module/worker.h"

#include <algorithm>

#include "base/own_thread.h"
#include "oriel/oriel.h"

namespace oriel::modules {

void Worker::run() {
  std::chrono::milliseconds pause = first_;
  pthread_setname_np(pthread_self(), name_);
  oriel_thread_attach_tools();
  std::unique_lock lock(mutex_);
  while (!stopping_ && pause.count() >= 0) {
    const auto rest = std::min(pause, kRest);
    if (changed_.wait_for(lock, rest, [this] { return stopping_; })) break;
    changed_.wait_for(lock, pause - rest, [this] { return stopping_ || hurried_; });
    if (stopping_) break;
    hurried_ = false;
    lock.unlock();
    pause = work_();
    lock.lock();
  }
  left_ = true;
  changed_.notify_all();
}

bool Worker::start(const char* name, std::chrono::milliseconds first, Work work) {
  name_ = name;
  first_ = first;
  work_ = std::move(work);
  const auto begin = [](void* worker) -> void* {
    static_cast<Worker*>(worker)->run();
    return nullptr;
  };
  started_ = start_own_thread(thread_, begin, this) == 0;
  return started_;
}

void Worker::hurry() {
  const std::lock_guard guard(mutex_);
  if (hurried_) return;
  hurried_ = true;
  changed_.notify_all();
}

bool Worker::stop(std::chrono::milliseconds wait) {
  if (!started_) return true;
  started_ = false;
  std::unique_lock lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
  const bool left = changed_.wait_for(lock, wait, [this] { return left_; });
  lock.unlock();
  if (left) {
    pthread_join(thread_, nullptr);
  } else {
    pthread_detach(thread_);
  }
  return left;
}

}  // namespace oriel::modules
