// The tree of sampled stacks: each stack becomes a node, each node is written to the log once. The writer's own.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "log/format.h"
#include "module/names.h"
#include "sample_rings.h"

namespace oriel::logging {

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
    by_address_.clear();
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
  struct AddressKey {
    uint64_t parent;
    uintptr_t address;  // of a call site already moved into the call
    bool operator==(const AddressKey&) const = default;
  };
  struct FrameKey {
    uint64_t parent;
    uint64_t frame;  // id, kind and whether the walk broke here
    uint64_t il;
    bool operator==(const FrameKey&) const = default;
  };
  struct Hash {
    size_t operator()(uint64_t a, uint64_t b) const {
      uint64_t mixed = (a * 0x9e3779b97f4a7c15u) ^ (b + 0x7f4a7c159e3779b9u);
      mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93u;
      return mixed ^ mixed >> 32;
    }
    size_t operator()(const AddressKey& key) const { return (*this)(key.parent, key.address); }
    size_t operator()(const FrameKey& key) const { return (*this)(key.parent, key.frame ^ key.il << 40); }
  };

  enum class Leaf { kInstruction, kCall, kProbe };
  uint64_t node_of(const SampleView& stack, size_t innermost, Leaf leaf);
  uint64_t child(uint64_t parent, const NameTable::Frame& frame, bool truncated);
  // The node below a leaf whose thread waits or is in the kernel, else the leaf.
  uint64_t kernel_node(uint64_t leaf, const SampleView& sample);
  NameTable::Frame frame_at(uintptr_t address, uint64_t when);
  bool waits_for_lock(const SampleView& sample);

  NameTable& names_;
  bool remember_ = true;
  bool saw_lock_wait_ = false;
  std::unordered_map<uintptr_t, NameTable::Frame> frames_;
  std::unordered_map<uintptr_t, std::optional<NameTable::Frame>> below_leaves_;
  std::unordered_map<AddressKey, uint64_t, Hash> by_address_;  // what the next one says, found without resolving
  std::unordered_map<FrameKey, uint64_t, Hash> by_frame_;
  std::vector<log::StackNode> new_nodes_;
  uint64_t nodes_ = 0;
};

}  // namespace oriel::logging
