#include "common/worker.h"

#include <pthread.h>
#include <signal.h>

#include "oriel/oriel.h"

namespace oriel::modules {

void Worker::run(std::chrono::milliseconds pause) {
  pthread_setname_np(pthread_self(), name_);
  oriel_thread_attach_tools();
  std::unique_lock lock(mutex_);
  while (!stopping_ && pause.count() >= 0) {
    if (changed_.wait_for(lock, pause, [this] { return stopping_; })) break;
    lock.unlock();
    pause = work_();
    lock.lock();
  }
  left_ = true;
  changed_.notify_all();
}

bool Worker::start(const char* name, std::chrono::milliseconds first, Work work) {
  name_ = name;
  work_ = std::move(work);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = true;
  try {
    thread_ = std::thread([this, first] { run(first); });
  } catch (...) {
    started = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

bool Worker::stop(std::chrono::milliseconds wait) {
  if (!thread_.joinable()) return true;
  std::unique_lock lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
  const bool left = changed_.wait_for(lock, wait, [this] { return left_; });
  lock.unlock();
  if (left) {
    thread_.join();
  } else {
    thread_.detach();
  }
  return left;
}

}  // namespace oriel::modules
