#include "profile/build/row_merger.h"

#include <signal.h>

#include <system_error>
#include <utility>

namespace oriel::profile {
namespace {

constexpr size_t kMostWaiting = 2;

// A thread that takes none of the process's signals; none if there can be no further thread.
template <typename Work>
std::thread without_signals(const Work& work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread;
  try {
    thread = std::thread(work);
  } catch (const std::system_error&) {  // the caller does it
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

RowMerger::RowMerger(size_t most, std::span<const Sample> rows) : rows_(most, rows) {
  if (std::thread::hardware_concurrency() > 1) thread_ = without_signals([this] { run(); });
}

RowMerger::~RowMerger() {
  {
    const std::lock_guard guard(lock_);
    waiting_.clear();
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
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
      rows_.add(samples);
    } catch (...) {
      failed = std::current_exception();
    }
    guard.lock();
    if (failed != nullptr) {
      failed_ = failed;
      waiting_.clear();
    }
    samples.clear();
    if (spare_.size() < kMostWaiting) spare_.push_back(std::move(samples));
    changed_.notify_all();
  }
}

void RowMerger::add(std::vector<Sample>& samples) {
  if (!thread_.joinable()) {
    rows_.add(samples);
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
  {
    const std::lock_guard guard(lock_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (failed_ != nullptr) std::rethrow_exception(failed_);
  return rows_;
}

}  // namespace oriel::profile
