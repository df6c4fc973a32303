#include "stack_tree.h"

#include <utility>

#include "modules/lock_entry.h"

namespace oriel::log_module {

NameTable::Frame StackTree::frame_at(uintptr_t address, uint64_t when) {
  if (!remember_) return names_.frame_at(address, when);
  const auto [entry, added] = frames_.try_emplace(address);
  if (added) entry->second = names_.frame_at(address, when);
  return entry->second;
}

uint64_t StackTree::child(uint64_t parent, const NameTable::Frame& frame, bool truncated) {
  const auto number = static_cast<uint32_t>(parent == 0 ? 0 : parent - forgotten_);
  const uint64_t whose = frame.id << 2 | static_cast<uint64_t>(frame.kind) << 1 | uint64_t{truncated};
  const NodeTable::Found found = nodes_.find_or_add({number, frame.il, whose});
  const uint64_t node = forgotten_ + found.number;
  if (found.added) new_nodes_.push_back({node, parent, frame.kind, frame.id, truncated, frame.il});
  return node;
}

StackTree::Step& StackTree::step_at(uint64_t parent, uintptr_t address) {
  if (by_address_.empty()) by_address_.resize(kSteps);
  const uint64_t mixed = (parent * 0x9e3779b97f4a7c15u ^ address) * 0xd6e8feb86659fd93u;
  return by_address_[(mixed >> 32) % kSteps];
}

void StackTree::stay_within_bounds() {
  if (frames_.size() >= kMostAddresses || below_leaves_.size() >= kMostAddresses) forget_addresses();
  if (nodes_.size() < kMostNodes) return;
  forgotten_ += nodes_.size();
  nodes_.clear();
  by_address_ = {};
}

uint64_t StackTree::kernel_node(uint64_t leaf, const SampleView& sample) {
  if (sample.waits) {
    const size_t before = nodes_.size();
    const uint64_t node = child(leaf, names_.waiting(), false);
    if (!saw_lock_wait_ && nodes_.size() != before) saw_lock_wait_ = waits_for_lock(sample);
    return node;
  }
  if (sample.frame_count == 0) return leaf;
  const uintptr_t address = sample.frames[0];
  const auto [entry, added] = below_leaves_.try_emplace(address);
  if (added) entry->second = names_.kernel_below(address, sample.counter);
  if (entry->second) return child(leaf, *entry->second, false);
  return sample.in_page_fault ? child(leaf, names_.page_fault(), false) : leaf;
}

bool StackTree::waits_for_lock(const SampleView& sample) {
  for (size_t i = 0; i < sample.frame_count; ++i) {
    const NameTable::Frame frame = frame_at(sample.frames[i] - (i > 0 ? 1 : 0), sample.counter);
    if (frame.kind != log::FrameKind::kManaged) continue;
    oriel_method* const method = oriel_method_by_id(frame.id);
    if (modules::is_lock_entry(method)) return true;
    if (!modules::is_waiting_method(method)) return false;
  }
  return false;
}

uint64_t StackTree::node_of(const SampleView& sample) {
  return kernel_node(node_of(sample, 0, Leaf::kInstruction), sample);
}

uint64_t StackTree::node_of_allocation(const SampleView& stack, bool by_probe) {
  size_t innermost = 0;
  while (innermost < stack.frame_count &&
         frame_at(stack.frames[innermost] - 1, stack.counter).kind != log::FrameKind::kManaged)
    innermost++;
  return node_of(stack, innermost, by_probe ? Leaf::kProbe : Leaf::kCall);
}

uint64_t StackTree::node_of(const SampleView& sample, size_t innermost, Leaf leaf) {
  stay_within_bounds();
  uint64_t node = 0;
  for (size_t i = sample.frame_count; i-- > innermost;) {
    // A caller's address is the one after its call, which may already belong to another function.
    const uintptr_t address = sample.frames[i] - (i > 0 || leaf != Leaf::kInstruction ? 1 : 0);
    const bool broken = sample.truncated && node == 0;
    const bool at_probe = leaf == Leaf::kProbe && i == innermost;
    if (!remember_ || broken || at_probe) {
      NameTable::Frame frame = frame_at(address, sample.counter);
      if (at_probe) frame.il = log::kNoIl;
      node = child(node, frame, broken);
      continue;
    }
    Step& step = step_at(node, address);
    if (step.node == 0 || step.parent != node || step.address != address)
      step = {node, address, child(node, frame_at(address, sample.counter), false)};
    node = step.node;
  }
  return node;
}

std::vector<log::StackNode> StackTree::take_new_nodes() { return std::exchange(new_nodes_, {}); }

}  // namespace oriel::log_module
