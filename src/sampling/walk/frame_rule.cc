#include "sampling/walk/frame_rule.h"

#include <bit>

#include "sampling/walk/call_site.h"

namespace oriel::sampling {
namespace {

constexpr size_t kRemembered = 1 << 15;
constexpr size_t kPages = 1 << 10;
constexpr unsigned kPageBits = 12;

// The rule's key and the rule, lock-free: a mix written by two threads matches no pc.
struct RememberedRule {
  std::atomic<uint64_t> check;  // tag ^ rule
  std::atomic<uint64_t> rule;
};
constinit RememberedRule remembered[kRemembered];
// How often code was removed, by page.
constinit std::atomic<uint32_t> removals[kPages];
constinit std::atomic<bool> funclets{true};

std::atomic<uint32_t>& removals_at(uintptr_t page) { return removals[page % kPages]; }

FrameRule work_out(const FrameTables* all, uintptr_t pc, bool exact) {
  FrameRule rule{};
  // A call may be its function's last instruction: the return address then belongs to the next function.
  const uintptr_t inside = exact ? pc : pc - 1;
  const FrameTable* const table = all ? find_frame_table(*all, inside) : nullptr;
  size_t offset = 0;
  if (table && find_frame_entry(*table, inside, offset)) rule = read_rule(*table, offset, inside);
  const bool has_table = rule.kind != RuleKind::kNone;
  if (!has_table) rule = read_code_rule(pc, exact);
  if (exact) return rule;
  const CallSite site = read_call_site(pc);
  rule.follows_call = site.is_call ? 1 : 0;
  rule.calls_funclet = !has_table && site.of_funclet && has_funclets() ? 1 : 0;
  return rule;
}

// Addresses have 47 bits, or 48 on arm64; the bits above hold the generation of the tables and of the code.
uint64_t tag_of(const FrameTables* all, uintptr_t pc, bool exact) {
  const uint64_t generation = (all ? all->generation : 0) + removals_at(pc >> kPageBits).load();
  return (uint64_t{pc} << 1 | (exact ? 1 : 0)) ^ generation << 49;
}

RememberedRule& place_of(uintptr_t pc) { return remembered[(pc ^ (pc >> 15)) % kRemembered]; }

void remember(RememberedRule& there, uint64_t tag, FrameRule rule) {
  const uint64_t bits = std::bit_cast<uint64_t>(rule);
  there.rule.store(bits, std::memory_order_relaxed);
  there.check.store(tag ^ bits, std::memory_order_relaxed);
}

}  // namespace

void set_has_funclets(bool has) { funclets.store(has, std::memory_order_relaxed); }

bool has_funclets() { return funclets.load(std::memory_order_relaxed); }

FrameRule rule_for(uintptr_t pc, bool exact) {
  const FrameTables* const all = frame_tables.load();
  const uint64_t tag = tag_of(all, pc, exact);
  RememberedRule& there = place_of(pc);
  const uint64_t known = there.rule.load(std::memory_order_relaxed);
  if ((there.check.load(std::memory_order_relaxed) ^ known) == tag) return std::bit_cast<FrameRule>(known);
  const FrameRule rule = work_out(all, pc, exact);
  remember(there, tag, rule);
  return rule;
}

void remember_rule(uintptr_t pc, bool exact, FrameRule rule) {
  remember(place_of(pc), tag_of(frame_tables.load(), pc, exact), rule);
}

void forget_rules(uintptr_t start, uintptr_t end) {
  // A range larger than all pages together touches each of them once.
  for (uintptr_t page = start >> kPageBits, i = 0; page <= (end - 1) >> kPageBits && i < kPages; page++, i++) {
    removals_at(page).fetch_add(1);
  }
}

}  // namespace oriel::sampling
