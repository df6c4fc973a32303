#include "profile/build/row_merger.h"

namespace oriel::profile {

RowMerger::RowMerger(size_t most)
    : most_(most), background_([this](std::vector<Sample>& samples) { merge(samples); }) {}

void RowMerger::merge(std::vector<Sample>& samples) {
  if (rows_)
    rows_->add(samples);
  else
    rows_.emplace(most_, samples);
  samples.clear();
  if (samples.capacity() >= most_) std::vector<Sample>().swap(samples);  // the first ones had far more room
}

MergedRows& RowMerger::finish() {
  background_.finish();
  return *rows_;
}

}  // namespace oriel::profile
