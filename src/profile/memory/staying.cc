#include "profile/memory/staying.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "log/properties.h"
#include "profile/recorded.h"
#include "profile/work/category.h"

namespace oriel::profile {
namespace {

size_t part_of(int64_t ns, const Profile& profile) {
  const int64_t from = sum_of_following(profile.following).from_ns, whole = profile.wall_ns - from;
  if (whole <= 0 || ns <= from) return 0;
  const double part = static_cast<double>(ns - from) / static_cast<double>(whole);
  return std::min(static_cast<size_t>(part * Staying::kParts), Staying::kParts - 1);
}

}  // namespace

std::string followed_types(const Profile& profile) {
  const std::vector<std::string> types = property_values(profile, log::property::kFollowedTypes);
  return types.empty() ? "" : types.back();
}

bool followed_is_part(const Profile& profile) {
  return std::ranges::any_of(profile.followed, [](const FollowedObject& object) { return object.objects > 1.5; });
}

std::vector<Staying> staying(const Profile& profile) {
  const std::vector<uint32_t> own =
      profile.followed.empty() ? std::vector<uint32_t>() : nearest_own_nodes(profile.nodes, profile);
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::pair<Staying, double>> sums;  // with the number of objects
  for (const FollowedObject& object : profile.followed) {
    if (object.full == 0) continue;
    const uint32_t place = own[object.node];
    const Node& node = profile.nodes[place];
    auto& [sum, objects] = sums[{object.type, node.function, node.position}];
    sum.type = object.type;
    sum.own = place;
    sum.bytes += object.bytes;
    if (object.full >= Staying::kStays) sum.stay_bytes += object.bytes;
    ++sum.samples;
    sum.full = std::max(sum.full, object.full);
    sum.when[part_of(object.ns, profile)] += static_cast<double>(object.bytes);
    objects += object.objects;
  }
  std::vector<Staying> all;
  for (auto& [key, entry] : sums) {
    entry.first.objects = static_cast<uint64_t>(std::llround(std::min(entry.second, 4e18)));
    all.push_back(entry.first);
  }
  std::ranges::stable_sort(all, std::greater<>(), &Staying::bytes);
  return all;
}

}  // namespace oriel::profile
