// Merges samples (merged_rows.h) on a thread of its own, while the caller makes further ones. Where there is one
// processor, or no thread can be had, the caller's thread does it.
#pragma once

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

#include "profile/build/merged_rows.h"
#include "profile/tables/samples.h"

namespace oriel::profile {

class RowMerger {
 public:
  // As MergedRows, whose first rows are those that are added first.
  explicit RowMerger(size_t most);
  ~RowMerger();
  RowMerger(const RowMerger&) = delete;
  RowMerger& operator=(const RowMerger&) = delete;

  // Takes the samples, and leaves an empty vector, which may have room of earlier ones. Waits while many are not merged
  // yet. May throw std::bad_alloc, also of earlier samples.
  void add(std::vector<Sample>& samples);
  // The rows of all samples; no further ones may come.
  MergedRows& finish();

 private:
  void run();
  void merge(std::vector<Sample>& samples);
  // Lets the thread merge what waits, and waits for its end.
  void end();

  size_t most_;
  std::optional<MergedRows> rows_;  // since the first rows; of the thread, until it ends
  std::mutex lock_;                 // guards the next five
  std::condition_variable changed_;
  std::deque<std::vector<Sample>> waiting_;
  std::vector<std::vector<Sample>> spare_;
  std::exception_ptr failed_;
  bool ends_ = false;
  pthread_t thread_{};
  bool has_thread_ = false;
};

}  // namespace oriel::profile
