#include "sampling/frame_rule.h"

#include <bit>
#include <cstring>

namespace oriel::sampling {
namespace {

FrameRule work_out(const FrameTables& all, uintptr_t pc) {
  const FrameTable* table = find_frame_table(all, pc);
  size_t offset = 0;
  if (!table || !find_frame_entry(*table, pc, offset)) return {};
  return read_rule(*table, offset, pc);
}

}  // namespace

FrameRule rule_for(Walker& walker, uintptr_t pc) {
  const FrameTables* all = frame_tables.load();
  if (!all) return {};
  if (walker.rules_of != all->generation) {
    std::memset(walker.rules, 0, sizeof(walker.rules));
    walker.rules_of = all->generation;
  }
  CachedRule& cached = walker.rules[(pc ^ (pc >> 9) ^ (pc >> 18)) % kRuleCacheSize];
  if (cached.pc == pc) return std::bit_cast<FrameRule>(cached.rule);
  const FrameRule rule = work_out(*all, pc);
  cached = {pc, std::bit_cast<uint64_t>(rule)};
  return rule;
}

}  // namespace oriel::sampling
