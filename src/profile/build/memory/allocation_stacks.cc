#include "profile/build/memory/allocation_stacks.h"

namespace oriel::profile {

uint32_t AllocationStacks::in_calls(uint32_t stack) {
  if (known_.empty()) known_.resize(profile_.nodes.size());
  std::vector<uint32_t> missing;
  for (; stack != 0 && known_[stack] == 0; stack = profile_.nodes[stack].parent) missing.push_back(stack);
  uint32_t node = known_[stack];
  for (size_t i = missing.size(); i-- > 0;) {
    const Node& from = profile_.nodes[missing[i]];
    profile_.call_nodes.push_back({node, from.function, from.truncated, from.position});
    profile_.call_figures.push_back({});
    node = known_[missing[i]] = static_cast<uint32_t>(profile_.call_nodes.size() - 1);
  }
  return node;
}

uint32_t AllocationStacks::site_of(uint32_t stack) const {
  while (stack != 0 && !profile_.functions[profile_.nodes[stack].function].managed)
    stack = profile_.nodes[stack].parent;
  return profile_.nodes[stack].function;
}

}  // namespace oriel::profile
