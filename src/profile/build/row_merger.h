// Merges samples (merged_rows.h) in the background, while the caller makes further ones.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "profile/build/background.h"
#include "profile/build/merged_rows.h"
#include "profile/tables/samples.h"

namespace oriel::profile {

class RowMerger {
 public:
  // As MergedRows, whose first rows are those that are added first.
  explicit RowMerger(size_t most);

  // Takes the samples, and leaves an empty vector, which may have room of earlier ones. Waits while many are not merged
  // yet. May throw std::bad_alloc, also of earlier samples.
  void add(std::vector<Sample>& samples) { background_.add(samples); }
  // The rows of all samples; no further ones may come.
  MergedRows& finish();

 private:
  void merge(std::vector<Sample>& samples);

  size_t most_;
  std::optional<MergedRows> rows_;  // since the first rows; of the background until it has finished
  Background<std::vector<Sample>> background_;
};

}  // namespace oriel::profile
