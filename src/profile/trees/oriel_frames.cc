#include "profile/trees/oriel_frames.h"

#include <algorithm>

#include "profile/moved_nodes.h"
#include "profile/work/purpose.h"

namespace oriel::profile {
namespace {

// By function.
std::vector<bool> of_oriel(const Profile& profile) {
  std::vector<bool> result;
  for (const Function& function : profile.functions)
    result.push_back(!function.managed && purpose_of(function, profile).category == Category::kOriel);
  return result;
}

}  // namespace

void fold_oriel(Profile& profile) {
  const std::vector<bool> is_ours = of_oriel(profile);
  if (std::ranges::find(is_ours, true) == is_ours.end()) return;
  Function frame;
  frame.name = kOrielFrame;
  frame.module = profile.functions[static_cast<size_t>(std::ranges::find(is_ours, true) - is_ours.begin())].module;
  const auto one = static_cast<uint32_t>(profile.functions.size());
  profile.functions.push_back(frame);

  const std::vector<Node> nodes = std::move(profile.nodes);
  profile.nodes.assign(nodes.begin(), nodes.begin() + 1);
  std::vector<uint32_t> moved(nodes.size());
  for (size_t i = 1; i < nodes.size(); ++i) {
    const uint32_t parent = moved[nodes[i].parent];
    const bool below = profile.nodes[parent].function == one && !profile.functions[nodes[i].function].managed;
    moved[i] = parent;
    if (below) continue;
    Node node = nodes[i];
    node.parent = parent;
    if (is_ours[node.function]) node.function = one;
    moved[i] = static_cast<uint32_t>(profile.nodes.size());
    profile.nodes.push_back(node);
  }
  const bool counted = !profile.node_counts.empty();
  move_nodes(profile, [&](uint32_t node) { return moved[node]; });
  if (counted) profile.node_counts.resize(profile.nodes.size());
}

}  // namespace oriel::profile
