#include "profile/build/sample_rows.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

namespace oriel::profile {
namespace {

// So many samples are handed over at once: that costs little beside merging them, and they fit the processor's cache.
constexpr size_t kHandedOver = 1 << 16;

}  // namespace

void SampleRows::expect(uint64_t samples) {
  if (samples > most_) room_ = most_ / 2;  // they will have to be merged
  rows_.reserve(std::min<uint64_t>(samples, room_));
}

void SampleRows::add(std::span<const Sample> samples) {
  while (!samples.empty()) {
    if (rows_.size() >= room_) hand_over();
    const auto some = samples.first(std::min(samples.size(), room_ - rows_.size()));
    rows_.insert(rows_.end(), some.begin(), some.end());
    samples = samples.subspan(some.size());
  }
}

void SampleRows::hand_over() {
  const bool is_first = merger_ == nullptr;
  if (is_first) merger_ = std::make_shared<RowMerger>(most_ / 2);
  merger_->add(rows_);
  if (is_first) {
    std::vector<Sample>().swap(rows_);  // there is far more room than from now on
    room_ = std::min(most_, kHandedOver);
  }
  rows_.reserve(room_);
}

std::vector<Sample> SampleRows::take() {
  if (merger_ == nullptr) return std::move(rows_);
  hand_over();
  MergedRows& merged = merger_->finish();
  window_ = merged.window();
  if (window_ != 0) mean_weight_ = merged.mean_weight();
  rows_ = merged.take();
  merger_.reset();
  if (window_ != 0)
    std::ranges::sort(rows_, {}, [](const Sample& row) { return std::tuple(row.ns, row.thread, row.node); });
  return std::move(rows_);
}

}  // namespace oriel::profile
