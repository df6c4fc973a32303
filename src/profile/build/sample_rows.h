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
#include <future>
#include <memory>
#include <vector>

#include "profile/tables/samples.h"

namespace oriel::profile {

class SampleRows {
 public:
  static constexpr size_t kMostRows = 3'000'000;

  explicit SampleRows(size_t most = kMostRows) : room_(most) {}

  // Reserves memory for so many samples, at most. It takes only addresses while they are not used, and growing step by
  // step would cost more than decoding.
  void expect(uint64_t samples);
  // `ns` is a counter. May throw std::bad_alloc.
  void add(const Sample& sample) {
    if (rows_.size() >= room_) make_room();
    rows_.push_back(sample);
    const auto weight = static_cast<double>(sample.periods);
    periods_ += weight;
    squares_ += weight * weight;
  }

  // After take(): how many counters a window is long; 0: each sample has its row.
  uint64_t window() const { return merged_ == nullptr || merged_->shift == 0 ? 0 : uint64_t{1} << merged_->shift; }
  // The mean of the periods of samples as they were added, by their weight.
  double mean_weight() const { return periods_ == 0 ? 0 : squares_ / periods_; }
  // All rows: in the order of the samples, or by time where rows stand for several.
  std::vector<Sample> take();

 private:
  // Rows to be merged, and how.
  struct Merged {
    // Merges rows in windows so long that at most half of the most are left. A log with more stacks gets more rows.
    void make_room();
    void merge_rows();
    // Merges rows from `from` on up to `to`, and moves what is left to `kept`, which is not after `from`.
    void merge_bucket(size_t from, size_t to, size_t& kept);
    bool are_one(const Sample& a, const Sample& b) const;
    void join(const Sample& sample, Sample& row);
    uint64_t draw();

    size_t most = 0;
    unsigned shift = 0;
    std::vector<Sample> rows = {};
    std::vector<uint32_t> slots = {};      // of merge_bucket()
    uint64_t random = 0x9e3779b97f4a7c15;  // the same log makes the same report
  };
  void make_room();
  void begin_merging();
  // Waits for the merged rows, and puts those that were added meanwhile behind them.
  void end_merging();

  size_t room_;               // how many rows_ may become
  std::vector<Sample> rows_;  // the last of all, while others are merged
  double periods_ = 0, squares_ = 0;
  std::shared_ptr<Merged> merged_;    // since there was no room for the first time
  std::shared_future<void> merging_;  // valid while another thread has merged_
};

}  // namespace oriel::profile
