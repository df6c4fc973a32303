#include "runtimes/coreclr/guests/il_map.h"

#include <algorithm>

namespace oriel::coreclr {

std::vector<IlMapEntry> compose(std::span<const IlMapEntry> first, std::span<const IlMapEntry> second) {
  if (first.empty()) return {second.begin(), second.end()};
  if (second.empty()) return {first.begin(), first.end()};
  std::vector<IlMapEntry> result;
  for (const IlMapEntry& one : first) {
    const auto next = std::ranges::find(second, one.new_offset, &IlMapEntry::old_offset);
    if (next == second.end()) continue;
    result.push_back({one.old_offset, next->new_offset, one.is_accurate && next->is_accurate});
  }
  return result;
}

}  // namespace oriel::coreclr
