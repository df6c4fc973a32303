// The samples of a log while it is read, in bounded memory: a server's log of a day has hundreds of millions. While
// they are few, each is a row of its own. From then on, one row stands for all samples of a thread with the same stack
// in a window of time, and windows get longer as the log does. Sums by physical stack and thread stay exact. The row's
// time is that of one of its samples, chosen at random by their weight, so what depends on the time keeps its share.
//
// For one thread. Where there are several processors, another thread merges rows while samples are added; the rows are
// the same. Objects with so many samples are not copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "profile/build/row_merger.h"
#include "profile/tables/samples.h"

namespace oriel::profile {

class SampleRows {
 public:
  static constexpr size_t kMostRows = 3'000'000;

  explicit SampleRows(size_t most = kMostRows) : most_(most), room_(most) {}

  // Reserves memory for so many samples, at most. It takes only addresses while they are not used, and growing step by
  // step would cost more than decoding.
  void expect(uint64_t samples);
  // `ns` are counters. May throw std::bad_alloc.
  void add(std::span<const Sample> samples);

  // After take(): how many counters a window is long; 0: each sample has its row.
  uint64_t window() const { return window_; }
  // After take(), where rows stand for several samples: the mean of the periods of these, by their weight.
  double mean_weight() const { return mean_weight_; }
  // All rows: in the order of the samples, or by time where rows stand for several.
  std::vector<Sample> take();

 private:
  void hand_over();

  size_t most_;
  size_t room_;                        // how many rows_ may become
  std::vector<Sample> rows_;           // the last of all, once others were handed over
  std::shared_ptr<RowMerger> merger_;  // since there was no room for the first time
  uint64_t window_ = 0;
  double mean_weight_ = 0;
};

}  // namespace oriel::profile
