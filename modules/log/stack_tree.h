// The tree of sampled stacks. Each stack becomes a node, and each node is written to the log once, or again if it was
// forgotten because there were too many others since. For the writer's thread.
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

  // The node of a stack that a thread walked itself at an allocation, from its innermost managed frame on; 0 if it has
  // none. All frames are return addresses. `by_probe`: the innermost frame was left through a probe, for which the
  // compiler gives no IL offset, or that of the previous statement.
  uint64_t node_of_allocation(const SampleView& stack, bool by_probe);

  // To be called when code was freed: what is known about addresses no longer holds.
  void forget_addresses() {
    by_address_ = {};
    frames_.clear();
    below_leaves_.clear();
  }
  // Turns off the caches of addresses while code is being freed within the drained data: an address may then mean two
  // things.
  void remember_addresses(bool remember) { remember_ = remember; }

  // Whether a sampled thread waited for a lock.
  bool saw_lock_wait() const { return saw_lock_wait_; }

  // Nodes made since the last call.
  std::vector<log::StackNode> take_new_nodes();

 private:
  // Limits of what is kept: a program may run for years.
  static constexpr size_t kMostNodes = 1 << 18;
  static constexpr size_t kMostAddresses = 1 << 16;
  static constexpr size_t kSteps = 1 << 12;

  // A step from a node to a child, by the address of the child's frame. The address of a call site has been moved into
  // the call.
  struct Step {
    uint64_t parent = 0;
    uintptr_t address = 0;
    uint64_t node = 0;  // 0: none
  };

  enum class Leaf { kInstruction, kCall, kProbe };
  uint64_t node_of(const SampleView& stack, size_t innermost, Leaf leaf);
  uint64_t child(uint64_t parent, const NameTable::Frame& frame, bool truncated);
  // The cached step at this hash: the last one of those with the same hash.
  Step& step_at(uint64_t parent, uintptr_t address);
  void stay_within_bounds();
  // The node below the leaf if the thread waits or is in the kernel, else the leaf.
  uint64_t kernel_node(uint64_t leaf, const SampleView& sample);
  NameTable::Frame frame_at(uintptr_t address, uint64_t when);
  bool waits_for_lock(const SampleView& sample);

  NameTable& names_;
  bool remember_ = true;
  bool saw_lock_wait_ = false;
  std::unordered_map<uintptr_t, NameTable::Frame> frames_;
  std::unordered_map<uintptr_t, std::optional<NameTable::Frame>> below_leaves_;
  std::vector<Step> by_address_;  // a cache of `nodes_` by address; kSteps entries, or none yet
  NodeTable nodes_;
  uint64_t forgotten_ = 0;  // number of the log's nodes before those in nodes_
  std::vector<log::StackNode> new_nodes_;
};

}  // namespace oriel::log_module
