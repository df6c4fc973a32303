#include "profile/allocation_stacks.h"

#include <string>
#include <string_view>

namespace oriel::profile {
namespace {

// "Shop.List.Add" of "Shop.List<int>.Add(int)".
std::string definition_of(std::string_view name) {
  std::string definition;
  size_t depth = 0;
  for (const char c : name.substr(0, name.find('('))) {
    if (c == '<') ++depth;
    if (depth == 0) definition += c;
    if (c == '>' && depth > 0) --depth;
  }
  return definition;
}

}  // namespace

uint32_t AllocationStacks::in_calls(uint32_t stack) {
  if (known_.empty()) known_.resize(profile_.nodes.size());
  std::vector<uint32_t> missing;
  for (; stack != 0 && known_[stack] == 0; stack = profile_.nodes[stack].parent) missing.push_back(stack);
  uint32_t node = known_[stack];
  CallLog& calls = profile_.calls;
  for (size_t i = missing.size(); i-- > 0;) {
    const Node& from = profile_.nodes[missing[i]];
    calls.nodes.push_back({node, from.function, from.truncated});
    calls.figures.push_back({});
    node = known_[missing[i]] = static_cast<uint32_t>(calls.nodes.size() - 1);
  }
  return node;
}

uint32_t AllocationStacks::site_of(uint32_t stack) const {
  while (stack != 0 && !profile_.functions[profile_.nodes[stack].function].managed)
    stack = profile_.nodes[stack].parent;
  return profile_.nodes[stack].function;
}

uint32_t AllocationStacks::site_of(uint32_t stack, uint32_t told) const {
  const uint32_t innermost = site_of(stack);
  if (told == 0 || innermost == 0) return told != 0 ? told : innermost;
  const Function& a = profile_.functions[told];
  const Function& b = profile_.functions[innermost];
  return a.module == b.module && definition_of(a.name) == definition_of(b.name) ? innermost : told;
}

}  // namespace oriel::profile
