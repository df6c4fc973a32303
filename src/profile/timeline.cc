#include "profile/timeline.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace oriel::profile {
namespace {

class LaneMaker {
 public:
  LaneMaker(const Profile& profile, const Parts& parts)
      : profile_(profile), parts_(parts), waited_(profile.threads.size()) {
    for (uint32_t thread = 0; thread < waited_.size(); ++thread)
      lanes_.push_back({thread, std::vector<float>(parts.count), std::vector<uint32_t>(parts.count, Waits::kNoRow)});
  }

  void add_run(const Sample& sample) {
    Lane& lane = lanes_[sample.thread];
    const int64_t ns = length_ns(sample, profile_);
    lane.ns += ns;
    for (const auto& [part, share] : parts_before(sample.ns, ns, parts_)) {
      const double ran = lane.ran[part] + share * static_cast<double>(ns) / parts_.length_ns();
      lane.ran[part] = static_cast<float>(std::min(1.0, ran));
    }
  }

  void add_wait(const Sample& wait, uint32_t row) {
    const int64_t ns = length_ns(wait, profile_);
    lanes_[wait.thread].ns += ns;
    for (const auto& [part, share] : parts_before(wait.ns, ns, parts_))
      waited_[wait.thread][part][row] += share * static_cast<double>(ns);
  }

  std::vector<Lane> finished() {
    for (Lane& lane : lanes_) {
      for (const auto& [part, by_row] : waited_[lane.thread])
        lane.waits[part] = std::ranges::max_element(by_row, {}, [](const auto& row) { return row.second; })->first;
    }
    std::erase_if(lanes_, [](const Lane& lane) { return lane.ns == 0; });
    std::ranges::stable_sort(lanes_, std::greater(), &Lane::ns);
    return std::move(lanes_);
  }

 private:
  const Profile& profile_;
  const Parts& parts_;
  std::vector<Lane> lanes_;
  std::vector<std::map<uint32_t, std::map<uint32_t, double>>> waited_;  // by thread, part and row
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
  constexpr uint64_t kMost = 1'000'000'000;  // periods, of a corrupt log
  if (profile.sampling_hz == 0) return 0;
  return static_cast<int64_t>(std::min(sample.periods, kMost) * (1'000'000'000ull / profile.sampling_hz));
}

Parts parts_of_run(const Profile& profile, uint32_t count) {
  const int64_t begin = std::max<int64_t>(profile.filter.from_ns, 0);
  return {begin, std::max(begin + count, std::min(profile.filter.to_ns, profile.wall_ns)), count};
}

std::vector<Lane> lanes(const Profile& profile, const Waits& waits, const Parts& parts) {
  if (profile.sampling_hz == 0) return {};
  LaneMaker maker(profile, parts);
  const std::vector<bool> waiting = waiting_functions(profile);
  for (const Sample& sample : profile.samples)
    if (!waiting[profile.nodes[sample.node].function]) maker.add_run(sample);
  for (size_t i = 0; i < profile.waits.size(); ++i)
    if (waits.row_of[i] != Waits::kNoRow) maker.add_wait(profile.waits[i], waits.row_of[i]);
  return maker.finished();
}

}  // namespace oriel::profile
