#include "profile/build/clock_map.h"

#include <algorithm>

namespace oriel::profile {
namespace {

// Closer pairs are too inexact for a rate: the time of day is in microseconds, and its reader may be interrupted.
constexpr int64_t kMinGapUs = 20'000;
constexpr double kMaxNs = 1e18;  // 31 years; a corrupt log may claim more

int64_t gap_us(const ClockPair& from, const ClockPair& to) { return static_cast<int64_t>(to.unix_us - from.unix_us); }

// Whether the distance is large enough, in either direction of the time of day.
bool apart(const ClockPair& a, const ClockPair& b) {
  const int64_t us = gap_us(a, b);
  return us >= kMinGapUs || us <= -kMinGapUs;
}

double gap_counts(const ClockPair& from, const ClockPair& to) { return static_cast<double>(to.counter - from.counter); }

}  // namespace

// The pairs by counter, without those too close to the previous one. The last one is kept.
std::vector<ClockPair> ClockMap::sorted_anchors() {
  std::stable_sort(pairs_.begin(), pairs_.end(),
                   [](const ClockPair& a, const ClockPair& b) { return a.counter < b.counter; });
  std::vector<ClockPair> anchors;
  for (const ClockPair& pair : pairs_) {
    if (anchors.empty() || (pair.counter > anchors.back().counter && apart(anchors.back(), pair)))
      anchors.push_back(pair);
  }
  if (anchors.empty() || pairs_.back().counter <= anchors.back().counter) return anchors;
  if (anchors.size() > 1) anchors.pop_back();
  anchors.push_back(pairs_.back());
  return anchors;
}

double ClockMap::median_rate(const std::vector<ClockPair>& anchors, double fallback) {
  std::vector<double> rates;
  for (size_t i = 1; i < anchors.size(); ++i) {
    const int64_t us = gap_us(anchors[i - 1], anchors[i]);
    if (us > 0) rates.push_back(static_cast<double>(us) * 1000 / gap_counts(anchors[i - 1], anchors[i]));
  }
  rate_known_ = !rates.empty();
  if (!rate_known_) return fallback;
  const auto middle = rates.begin() + static_cast<ptrdiff_t>(rates.size() / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  return *middle;
}

void ClockMap::seal(const ClockPair& start, double fallback_rate) {
  pairs_.push_back(start);
  std::vector<ClockPair> anchors = sorted_anchors();
  const double median = median_rate(anchors, fallback_rate);
  last_counter_ = pairs_.back().counter;
  pairs_.clear();
  pairs_.shrink_to_fit();
  double ns = 0;
  for (size_t i = 0; i < anchors.size(); ++i) {
    double rate = median;
    if (i + 1 < anchors.size()) {
      const double counts = gap_counts(anchors[i], anchors[i + 1]);
      const double own = static_cast<double>(gap_us(anchors[i], anchors[i + 1])) * 1000 / counts;
      if (own > median / 2 && own < median * 2) rate = own;
      segments_.push_back({anchors[i].counter, ns, rate});
      ns += counts * rate;
    } else {
      segments_.push_back({anchors[i].counter, ns, rate});
    }
  }
  origin_ = position(start.counter);
}

double ClockMap::position(uint64_t counter) const {
  const Segment& first = segments_.front();
  if (counter < first.counter) return first.ns - static_cast<double>(first.counter - counter) * first.rate;
  const bool near = segments_[hint_].counter <= counter;
  size_t at = near ? hint_ : 0;
  if (at + 1 < segments_.size() && segments_[at + 1].counter <= counter) {
    const auto above = [](uint64_t value, const Segment& segment) { return value < segment.counter; };
    at = static_cast<size_t>(std::upper_bound(segments_.begin(), segments_.end(), counter, above) - segments_.begin()) -
         1;
  }
  hint_ = at;
  return segments_[at].ns + static_cast<double>(counter - segments_[at].counter) * segments_[at].rate;
}

int64_t ClockMap::ns(uint64_t counter) const {
  return static_cast<int64_t>(std::clamp(position(counter) - origin_, 0.0, kMaxNs));
}

double ClockMap::ns_a_count(uint64_t first, uint64_t last) const {
  return last > first ? static_cast<double>(ns(last) - ns(first)) / static_cast<double>(last - first) : 1;
}

// The last segment has the median rate.
int64_t ClockMap::duration_ns(uint64_t counts) const {
  return static_cast<int64_t>(std::min(static_cast<double>(counts) * segments_.back().rate, kMaxNs));
}

uint64_t ClockMap::counter_at(int64_t wanted) const {
  uint64_t low = 0;
  uint64_t high = UINT64_MAX;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (ns(middle) >= wanted) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

int64_t ClockMap::last_ns() const { return ns(last_counter_); }

}  // namespace oriel::profile
