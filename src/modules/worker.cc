#include "modules/worker.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/files/own_files.h"
#include "base/process/code_memory.h"
#include "base/process/own_thread.h"
#include "log/place.h"
#include "oriel/oriel.h"

namespace oriel::modules {

void Worker::run() {
  pthread_setname_np(pthread_self(), name_);
  if (keep_) unshare_descriptors(*keep_);
  oriel_thread_attach_tools();
  Status opened = open_();
  std::unique_lock lock(mutex_);
  const bool is_open = opened.is_ok();
  opened_ = std::move(opened);
  enter(State::kWorking);
  if (is_open) work_until_stopped(lock);
  do_tasks(lock);
  if (last_) {
    enter(State::kEnding);
    lock.unlock();
    last_();
    lock.lock();
  }
  enter(State::kLeft);
}

void Worker::enter(State state) {
  state_ = state;
  changed_.notify_all();
}

void Worker::work_until_stopped(std::unique_lock<std::mutex>& lock) {
  while (!stopping_) {
    do_tasks(lock);
    const auto is_called = [this] { return stopping_ || !tasks_.empty(); };
    if (pause_.count() < 0) {
      if (!is_called()) changed_.wait(lock);
      continue;
    }
    const auto rest = std::min(pause_, rest_);
    if (changed_.wait_for(lock, rest, is_called)) continue;
    changed_.wait_for(lock, pause_ - rest, [&] { return is_called() || hurried_; });
    if (is_called()) continue;
    hurried_ = false;
    lock.unlock();
    const uint64_t before = clock_thread_cpu_ns();
    const std::chrono::milliseconds pause = work_();
    const std::chrono::nanoseconds cost(clock_thread_cpu_ns() - before);
    lock.lock();
    pause_ = pause;
    rest_ = std::max(kRest, std::chrono::ceil<std::chrono::milliseconds>(kHurryShare * cost));
  }
}

void Worker::do_tasks(std::unique_lock<std::mutex>& lock) {
  while (!tasks_.empty()) {
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
    ++tasks_done_;
    changed_.notify_all();
  }
}

bool Worker::do_now(Task task, std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  if (state_ != State::kWorking || stopping_) return false;
  tasks_.push_back(std::move(task));
  const uint64_t number = ++tasks_given_;
  changed_.notify_all();
  return changed_.wait_for(lock, wait, [&] { return tasks_done_ >= number; });
}

Status Worker::start(const char* name, Opening open) {
  name_ = name;
  log::remember_output();
  keep_ = descriptor_to_keep();
  open_ = std::move(open);
  const auto begin = [](void* worker) -> void* {
    static_cast<Worker*>(worker)->run();
    return nullptr;
  };
  if (start_own_thread(thread_, begin, this) != 0) {
    return Status::error(std::string("cannot start the thread ") + name + ": the system refuses it; raise the limit " +
                         "(ulimit -u)");
  }
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, kOpenAtMost, [this] { return state_ != State::kOpening; })) {
    stopping_ = true;
    pthread_detach(thread_);
    return Status::error(std::string("the thread ") + name + " could not open its file within 10 seconds; nothing is " +
                         "written to it");
  }
  started_ = opened_.is_ok();
  if (!started_) pthread_detach(thread_);
  return opened_;
}

void Worker::run_periodically(std::chrono::milliseconds first, Work work) {
  const std::lock_guard guard(mutex_);
  work_ = std::move(work);
  pause_ = first;
  changed_.notify_all();
}

void Worker::hurry() {
  const std::lock_guard guard(mutex_);
  if (hurried_) return;
  hurried_ = true;
  changed_.notify_all();
}

bool Worker::stop(std::chrono::milliseconds wait, Task last) {
  if (!started_) return true;
  started_ = false;
  std::unique_lock lock(mutex_);
  last_ = std::move(last);
  stopping_ = true;
  changed_.notify_all();
  const bool left = changed_.wait_for(lock, wait, [this] { return state_ >= State::kEnding; }) &&
                    changed_.wait_for(lock, kLastAtMost, [this] { return state_ == State::kLeft; });
  lock.unlock();
  if (left) {
    pthread_join(thread_, nullptr);
  } else {
    pthread_detach(thread_);
  }
  return left;
}

}  // namespace oriel::modules
