#include "profile/build/row_merger.h"

namespace oriel::profile {
namespace {

// The first samples are many. The thread takes longer for them than for those that come later.
constexpr size_t kMostWaiting = 8;

}  // namespace

RowMerger::RowMerger(size_t most)
    : most_(most), background_(kMostWaiting, [this](std::vector<Sample>& samples) { merge(samples); }) {}

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
