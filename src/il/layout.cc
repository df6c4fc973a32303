#include "il/layout.h"

namespace oriel::il {
namespace {
// Widening one branch may push another out of reach, and so on; no compiler's code has a longer chain.
constexpr int kMaxRounds = 16;
}  // namespace

Layout::Layout(Body& body, const std::vector<Instruction*>& order, bool all_long)
    : body_(body), order_(order), long_(order.size()) {
  for (Instruction* at : order_) {
    if (!is_branch(at->info().operand)) continue;
    branches_.push_back(at);
    long_[at->index()] = all_long || at->long_branch_;
  }
}

uint32_t Layout::size_of(const Instruction& instruction) const {
  const OpcodeInfo& info = instruction.info();
  if (is_branch(info.operand)) return is_long(instruction) ? 5 : 2;
  const uint32_t fixed = info.encoding_bytes() + operand_bytes(info.operand);
  return info.operand == OperandKind::Switch ? fixed + 4 * static_cast<uint32_t>(instruction.cases().size()) : fixed;
}

bool Layout::place() {
  uint64_t offset = 0;
  for (Instruction* at : order_) {
    at->encoded_offset_ = static_cast<uint32_t>(offset);
    offset += size_of(*at);
    if (offset > 0x7fffffff) return false;
  }
  body_.end()->encoded_offset_ = code_bytes_ = static_cast<uint32_t>(offset);
  return true;
}

bool Layout::widen() {
  bool changed = false;
  for (const Instruction* at : branches_) {
    if (is_long(*at)) continue;
    const int64_t distance = int64_t{at->target()->encoded_offset()} - (int64_t{at->encoded_offset()} + 2);
    if (distance >= -128 && distance <= 127) continue;
    long_[at->index()] = 1;
    changed = true;
  }
  return changed;
}

void Layout::widen_all() {
  for (const Instruction* at : branches_) long_[at->index()] = 1;
}

bool Layout::run() {
  for (int round = 0;; ++round) {
    if (!place()) return false;
    if (!widen()) return true;
    if (round == kMaxRounds) widen_all();
  }
}

}  // namespace oriel::il
