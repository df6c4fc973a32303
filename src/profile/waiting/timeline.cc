#include "profile/waiting/timeline.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

namespace oriel::profile {
namespace {

// By thread: running and waiting time.
std::vector<int64_t> lengths_of_threads(const Profile& profile, const WaitTotals& waits,
                                        const std::vector<bool>& waiting) {
  std::vector<int64_t> lengths(profile.threads.size());
  for (const Sample& sample : profile.samples)
    if (!waiting[profile.nodes[sample.node].function]) lengths[sample.thread] += length_ns(sample, profile);
  for (size_t i = 0; i < profile.waits.size(); ++i)
    if (waits.row_of[i] != WaitTotals::kNoRow) lengths[profile.waits[i].thread] += length_ns(profile.waits[i], profile);
  return lengths;
}

// Makes lanes only for wanted threads: a lane is large, and a log can have any number of threads.
class LaneMaker {
 public:
  LaneMaker(const Profile& profile, const Parts& parts, const std::vector<int64_t>& lengths, size_t most)
      : profile_(profile), parts_(parts) {
    std::vector<uint32_t> threads;
    for (uint32_t thread = 0; thread < lengths.size(); ++thread)
      if (lengths[thread] != 0) threads.push_back(thread);
    all_ = threads.size();
    std::ranges::stable_sort(threads, std::greater(), [&](uint32_t thread) { return lengths[thread]; });
    threads.resize(std::min(most, threads.size()));
    for (const uint32_t thread : threads) {
      lane_of_[thread] = lanes_.size();
      lanes_.push_back({thread, std::vector<float>(parts.count), std::vector<uint32_t>(parts.count, WaitTotals::kNoRow),
                        lengths[thread]});
    }
    waited_.resize(lanes_.size());
  }

  void add_run(const Sample& sample) {
    const auto lane = lane_of_.find(sample.thread);
    if (lane == lane_of_.end()) return;
    const int64_t ns = length_ns(sample, profile_);
    std::vector<float>& all_ran = lanes_[lane->second].ran;
    for (const auto& [part, share] : parts_of(sample, profile_, parts_)) {
      const double ran = all_ran[part] + share * static_cast<double>(ns) / parts_.length_ns();
      all_ran[part] = static_cast<float>(std::min(1.0, ran));
    }
  }

  void add_wait(const Sample& wait, uint32_t row) {
    const auto lane = lane_of_.find(wait.thread);
    if (lane == lane_of_.end()) return;
    const int64_t ns = length_ns(wait, profile_);
    for (const auto& [part, share] : parts_of(wait, profile_, parts_))
      waited_[lane->second][part][row] += share * static_cast<double>(ns);
  }

  Lanes finished() {
    for (size_t i = 0; i < lanes_.size(); ++i) {
      for (const auto& [part, by_row] : waited_[i])
        lanes_[i].waits[part] = std::ranges::max_element(by_row, {}, [](const auto& row) { return row.second; })->first;
    }
    return {std::move(lanes_), all_};
  }

 private:
  const Profile& profile_;
  const Parts& parts_;
  size_t all_ = 0;
  std::vector<Lane> lanes_;
  std::unordered_map<uint32_t, size_t> lane_of_;                        // by thread
  std::vector<std::map<uint32_t, std::map<uint32_t, double>>> waited_;  // by lane, part and row
};

}  // namespace

uint32_t Parts::of(int64_t ns) const {
  const double at = static_cast<double>(ns - begin_ns) / length_ns();
  return static_cast<uint32_t>(std::clamp(at, 0.0, static_cast<double>(count - 1)));
}

std::vector<std::pair<uint32_t, double>> parts_before(int64_t end_ns, int64_t ns, const Parts& parts) {
  const int64_t from = std::max(end_ns - ns, parts.begin_ns), to = std::min(end_ns, parts.end_ns);
  const uint32_t last = parts.of(to - 1);
  if (to - from <= 1) return {{last, 1}};
  std::vector<std::pair<uint32_t, double>> all;
  const auto whole = static_cast<double>(to - from);
  for (uint32_t part = parts.of(from); part <= last; ++part) {
    const double begin = static_cast<double>(parts.begin_ns) + part * parts.length_ns();
    const double within = std::min<double>(static_cast<double>(to), begin + parts.length_ns()) -
                          std::max<double>(static_cast<double>(from), begin);
    if (within > 0) all.emplace_back(part, within / whole);
  }
  return all;
}

int64_t length_ns(const Sample& sample, const Profile& profile) {
  constexpr uint64_t kSecond = 1'000'000'000, kMost = kSecond * kSecond;  // caps values of a corrupt log
  const uint64_t period = profile.sampling_hz == 0 ? 0 : kSecond / profile.sampling_hz;
  return period == 0 ? 0 : static_cast<int64_t>(std::min(sample.periods, kMost / period) * period);
}

Span span_of(const Sample& sample, const Profile& profile) {
  if (profile.sample_window_ns == 0) return {sample.ns - length_ns(sample, profile), sample.ns};
  const Thread& thread = profile.threads[sample.thread];
  const int64_t half = profile.sample_window_ns / 2;
  const int64_t from = std::max(thread.first_ns, sample.ns - half), to = std::min(thread.last_ns, sample.ns + half);
  return {std::min(from, sample.ns), std::max(to, sample.ns)};
}

std::vector<std::pair<uint32_t, double>> parts_of(const Sample& sample, const Profile& profile, const Parts& parts) {
  const Span span = span_of(sample, profile);
  return parts_before(span.to_ns, span.to_ns - span.from_ns, parts);
}

Parts parts_of_run(const Profile& profile, uint32_t count) {
  const int64_t begin = std::max<int64_t>(profile.filter.from_ns, 0);
  return {begin, std::max(begin + count, std::min(profile.filter.to_ns, profile.wall_ns)), count};
}

Lanes lanes(const Profile& profile, const WaitTotals& waits, const Parts& parts, size_t most) {
  if (profile.sampling_hz == 0) return {};
  const std::vector<bool> waiting = waiting_functions(profile);
  LaneMaker maker(profile, parts, lengths_of_threads(profile, waits, waiting), most);
  for (const Sample& sample : profile.samples)
    if (!waiting[profile.nodes[sample.node].function]) maker.add_run(sample);
  for (size_t i = 0; i < profile.waits.size(); ++i)
    if (waits.row_of[i] != WaitTotals::kNoRow) maker.add_wait(profile.waits[i], waits.row_of[i]);
  return maker.finished();
}

}  // namespace oriel::profile
