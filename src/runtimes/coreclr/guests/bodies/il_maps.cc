#include "runtimes/coreclr/guests/bodies/il_maps.h"

#include <algorithm>

namespace oriel::coreclr {

std::vector<IlMapEntry> compose(std::span<const IlMapEntry> first, std::span<const IlMapEntry> second) {
  if (first.empty()) return {second.begin(), second.end()};
  if (second.empty()) return {first.begin(), first.end()};
  std::vector<IlMapEntry> ways(second.begin(), second.end());
  std::ranges::stable_sort(ways, {}, &IlMapEntry::old_offset);
  std::vector<IlMapEntry> result;
  for (const IlMapEntry& one : first) {
    const auto exact = std::ranges::lower_bound(ways, one.new_offset, {}, &IlMapEntry::old_offset);
    if (exact != ways.end() && exact->old_offset == one.new_offset) {
      result.push_back({one.old_offset, exact->new_offset, one.is_accurate && exact->is_accurate});
    } else if (exact != ways.begin()) {
      const IlMapEntry& before = *std::prev(exact);
      result.push_back({one.old_offset, before.new_offset + (one.new_offset - before.old_offset), 0});
    }
  }
  return result;
}

void IlMaps::set(const Guest& guest, const MethodKey& key, std::span<const IlMapEntry> map) {
  const std::lock_guard guard(lock_);
  OfMethod& all = maps_[key];
  (guest.is_oriel() ? all.own : all.guests[guest.number()]).assign(map.begin(), map.end());
}

std::vector<IlMapEntry> IlMaps::composed(const MethodKey& key, bool with_own) {
  const std::lock_guard guard(lock_);
  const auto found = maps_.find(key);
  std::vector<IlMapEntry> whole;
  if (found == maps_.end()) return whole;
  for (const auto& [number, map] : found->second.guests) whole = compose(whole, map);
  return with_own ? compose(whole, found->second.own) : whole;
}

void IlMaps::module_unloading(ModuleID module) {
  const std::lock_guard guard(lock_);
  std::erase_if(maps_, [&](const auto& entry) { return entry.first.module == module; });
}

}  // namespace oriel::coreclr
