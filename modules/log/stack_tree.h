// The tree of sampled stacks: each stack becomes a node, each node is written to the log once, or again where there
// were so many since that it was forgotten. The writer's own.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "log/format.h"
#include "modules/names.h"
#include "node_table.h"
#include "sample_rings.h"

namespace oriel::log_module {

using modules::NameTable;

class StackTree {
 public:
  explicit StackTree(NameTable& names) : names_(names) {}

  // The node of a sample's stack; 0 if it has no frame.
  uint64_t node_of(const SampleView& sample);

  // The node of a stack that a thread walked itself at an allocation, all of whose frames are return addresses: from
  // its innermost managed frame on; 0 if it has none. `by_probe`: the innermost was left by a probe, of which the
  // compiler tells no place in the IL, or that of the statement before.
  uint64_t node_of_allocation(const SampleView& stack, bool by_probe);

  // Code was freed: what is remembered of addresses no longer holds.
  void forget_addresses() {
    by_address_ = {};
    frames_.clear();
    below_leaves_.clear();
  }
  // While code is being freed within what is drained, an address may mean two things.
  void remember_addresses(bool remember) { remember_ = remember; }

  // Whether a sample was of a thread that waited for a lock.
  bool saw_lock_wait() const { return saw_lock_wait_; }

  // Nodes made since the last call.
  std::vector<log::StackNode> take_new_nodes();

 private:
  // What is remembered is bounded: a program may run for years.
  static constexpr size_t kMostNodes = 1 << 18;
  static constexpr size_t kMostAddresses = 1 << 16;
  static constexpr size_t kSteps = 1 << 12;

  // From a node to the one below it, by the address of the frame there, which is of a call site already moved into the
  // call.
  struct Step {
    uint64_t parent = 0;
    uintptr_t address = 0;
    uint64_t node = 0;  // 0: none
  };

  enum class Leaf { kInstruction, kCall, kProbe };
  uint64_t node_of(const SampleView& stack, size_t innermost, Leaf leaf);
  uint64_t child(uint64_t parent, const NameTable::Frame& frame, bool truncated);
  // The step taken last of those that share its place.
  Step& step_at(uint64_t parent, uintptr_t address);
  void stay_within_bounds();
  // The node below a leaf whose thread waits or is in the kernel, else the leaf.
  uint64_t kernel_node(uint64_t leaf, const SampleView& sample);
  NameTable::Frame frame_at(uintptr_t address, uint64_t when);
  bool waits_for_lock(const SampleView& sample);

  NameTable& names_;
  bool remember_ = true;
  bool saw_lock_wait_ = false;
  std::unordered_map<uintptr_t, NameTable::Frame> frames_;
  std::unordered_map<uintptr_t, std::optional<NameTable::Frame>> below_leaves_;
  std::vector<Step> by_address_;  // what `nodes_` says, found without resolving; kSteps, or none yet
  NodeTable nodes_;
  uint64_t forgotten_ = 0;  // nodes that had lower numbers in the log than those in nodes_
  std::vector<log::StackNode> new_nodes_;
};

}  // namespace oriel::log_module
