#include "profile/work/own_places.h"

#include <algorithm>
#include <map>
#include <vector>

#include "profile/work/category.h"
#include "profile/work/purpose.h"

namespace oriel::profile {
namespace {

// By node: the own place nearest to the outermost such method above it; 0 if there is none.
std::vector<uint32_t> own_callers(std::string_view begins, const Profile& profile) {
  const std::vector<uint32_t> own = nearest_own_nodes(profile.nodes, profile);
  std::vector<uint32_t> callers(profile.nodes.size());
  for (size_t i = 1; i < callers.size(); ++i) {
    const Node& node = profile.nodes[i];
    const Function& function = profile.functions[node.function];
    callers[i] = callers[node.parent];
    if (callers[i] == 0 && function.managed && function.name.starts_with(begins)) callers[i] = own[node.parent];
  }
  return callers;
}

const Collection* collection_at(int64_t ns, const Profile& profile) {
  const auto after = std::ranges::upper_bound(profile.collections, ns, {}, &Collection::start_ns);
  return after == profile.collections.begin() || ns >= (after - 1)->end_ns ? nullptr : &*(after - 1);
}

uint32_t place_with_most(const std::map<uint32_t, uint64_t>& by_place) {
  const auto most = std::ranges::max_element(by_place, {}, [](const auto& entry) { return entry.second; });
  return most == by_place.end() ? 0 : most->first;
}

}  // namespace

uint32_t own_place_calling(std::string_view begins, const Profile& profile) {
  const std::vector<uint32_t> callers = own_callers(begins, profile);
  std::map<uint32_t, uint64_t> by_place;
  const auto add = [&](const Sample& sample) {
    if (callers[sample.node] != 0) by_place[callers[sample.node]] += sample.periods;
  };
  for (const Sample& sample : profile.samples) add(sample);
  for (const Sample& wait : profile.waits) add(wait);
  return place_with_most(by_place);
}

uint32_t own_place_asking_to_collect(const Profile& profile) {
  const std::vector<uint32_t> own = nearest_own_nodes(profile.nodes, profile);
  std::map<uint32_t, uint64_t> by_place;
  for (const Sample& sample : profile.samples) {
    if (own[sample.node] == 0 || !is_runtime(profile.functions[profile.nodes[sample.node].function])) continue;
    const Collection* const collection = collection_at(sample.ns, profile);
    if (collection && collection->induced && !collection->background) by_place[own[sample.node]] += sample.periods;
  }
  return place_with_most(by_place);
}

uint32_t own_place_in(uint32_t function, const std::vector<uint64_t>& periods, const Profile& profile) {
  const std::vector<uint32_t> own = nearest_own_nodes(profile.nodes, profile);
  struct Place {
    uint32_t node = 0;
    uint64_t periods = 0;
  };
  std::map<uint32_t, Place> by_position;
  for (size_t i = 0; i < periods.size(); ++i) {
    const Node& node = profile.nodes[own[i]];
    if (periods[i] == 0 || own[i] == 0 || node.function != function) continue;
    Place& place = by_position[node.position];
    place.node = own[i];
    place.periods += periods[i];
  }
  const auto most = std::ranges::max_element(by_position, {}, [](const auto& entry) { return entry.second.periods; });
  return most == by_position.end() ? 0 : most->second.node;
}

}  // namespace oriel::profile
