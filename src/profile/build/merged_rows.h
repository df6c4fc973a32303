// Rows of samples, of which one stands for all of a thread with the same stack in a window of time (sample_rows.h). For
// one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "profile/tables/samples.h"

namespace oriel::profile {

class MergedRows {
 public:
  // `rows` are samples one by one, whose `ns` are counters. A log with more stacks gets more rows than `most`.
  MergedRows(size_t most, std::span<const Sample> rows);

  // Where rows would be more than the most, they are merged in windows, or in longer ones. May throw std::bad_alloc.
  void add(std::span<const Sample> samples);
  // How many counters a window is long; 0: each sample has its row.
  uint64_t window() const { return shift_ == 0 ? 0 : uint64_t{1} << shift_; }
  // The mean of the periods of samples as they were added, by their weight.
  double mean_weight() const { return periods_ == 0 ? 0 : squares_ / periods_; }
  // All rows.
  std::vector<Sample> take();

 private:
  // Has longer windows, or room for more rows.
  void make_room();
  void merge_all();
  // Merges a thread's rows, which are in the order of their times.
  void merge(std::vector<Sample>& rows);
  void join(const Sample& sample, Sample& row);
  void append(std::span<const Sample> samples);

  // Where a stack's row is, if `window` is the number of the window that is merged now.
  struct Place {
    uint32_t window = 0;
    uint32_t row = 0;
  };

  size_t most_;
  unsigned shift_ = 0;
  // By thread, merged ones and then samples one by one. A thread's samples come in order of time, so that one window of
  // one thread is merged at a time: its rows and places fit a processor's cache, as a table of all rows would not.
  std::vector<std::vector<Sample>> rows_;
  size_t used_ = 0;            // how many rows there are
  std::vector<Place> places_;  // by node
  uint32_t last_place_ = 0;    // of all rows' nodes
  uint32_t windows_ = 0;       // that were merged
  double periods_ = 0, squares_ = 0;
  uint64_t random_ = 0x9e3779b97f4a7c15;  // the same log makes the same report
};

}  // namespace oriel::profile
