#include "profile/build/row_merger.h"

#include <thread>
#include <utility>

#include "base/process/own_thread.h"

namespace oriel::profile {
namespace {

// The first ones are many. The thread takes longer for them than for those that come later.
constexpr size_t kMostWaiting = 8;

}  // namespace

RowMerger::RowMerger(size_t most) : most_(most) {
  const auto run_it = [](void* merger) -> void* {
    static_cast<RowMerger*>(merger)->run();
    return nullptr;
  };
  has_thread_ = std::thread::hardware_concurrency() > 1 && start_own_thread(thread_, run_it, this) == 0;
}

RowMerger::~RowMerger() {
  {
    const std::lock_guard guard(lock_);
    waiting_.clear();
  }
  end();
}

void RowMerger::end() {
  {
    const std::lock_guard guard(lock_);
    ends_ = true;
  }
  changed_.notify_all();
  if (std::exchange(has_thread_, false)) pthread_join(thread_, nullptr);
}

void RowMerger::merge(std::vector<Sample>& samples) {
  if (rows_)
    rows_->add(samples);
  else
    rows_.emplace(most_, samples);
}

void RowMerger::run() {
  std::unique_lock guard(lock_);
  while (true) {
    changed_.wait(guard, [this] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::vector<Sample> samples = std::move(waiting_.front());
    waiting_.pop_front();
    guard.unlock();
    std::exception_ptr failed;
    try {
      merge(samples);
    } catch (...) {
      failed = std::current_exception();
    }
    guard.lock();
    if (failed != nullptr) {
      failed_ = failed;
      waiting_.clear();
    }
    samples.clear();
    if (spare_.size() < kMostWaiting && samples.capacity() < most_) spare_.push_back(std::move(samples));
    changed_.notify_all();
  }
}

void RowMerger::add(std::vector<Sample>& samples) {
  if (!has_thread_) {
    merge(samples);
    samples.clear();
    return;
  }
  std::unique_lock guard(lock_);
  changed_.wait(guard, [this] { return waiting_.size() < kMostWaiting || failed_ != nullptr; });
  if (failed_ != nullptr) std::rethrow_exception(failed_);
  waiting_.push_back(std::exchange(samples, {}));
  if (!spare_.empty()) {
    samples = std::move(spare_.back());
    spare_.pop_back();
  }
  changed_.notify_all();
}

MergedRows& RowMerger::finish() {
  end();
  if (failed_ != nullptr) std::rethrow_exception(failed_);
  return *rows_;
}

}  // namespace oriel::profile
