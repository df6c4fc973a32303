// A hash table of the nodes of a tree of stacks. A program that runs for long has many nodes: each takes 16 bytes, plus
// an entry of 4 bytes in a table that is a quarter to half full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oriel::log_module {

class NodeTable {
 public:
  struct Node {
    uint32_t parent;  // its parent's number; 0: the root
    uint32_t il;
    uint64_t frame;
    bool operator==(const Node&) const = default;
  };
  struct Found {
    uint32_t number;  // from 1, in the order of addition
    bool added;
  };

  Found find_or_add(const Node& node) {
    if (nodes_.size() * 2 >= places_.size()) grow();
    uint32_t& place = place_of(node);
    if (place != 0) return {place, false};
    nodes_.push_back(node);
    place = static_cast<uint32_t>(nodes_.size());
    return {place, true};
  }

  size_t size() const { return nodes_.size(); }

  void clear() {
    nodes_ = {};
    places_ = {};
  }

 private:
  // The node's place, or the free one for it.
  uint32_t& place_of(const Node& node) {
    size_t at = hash(node);
    for (;; at++) {
      uint32_t& place = places_[at & (places_.size() - 1)];
      if (place == 0 || nodes_[place - 1] == node) return place;
    }
  }

  void grow() {
    places_.assign(places_.empty() ? 256 : places_.size() * 2, 0);
    for (uint32_t i = 0; i < nodes_.size(); i++) place_of(nodes_[i]) = i + 1;
  }

  static size_t hash(const Node& node) {
    uint64_t mixed = (node.frame * 0x9e3779b97f4a7c15u) ^ (uint64_t{node.parent} << 32 | node.il);
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93u;
    return mixed ^ mixed >> 32;
  }

  std::vector<Node> nodes_;
  std::vector<uint32_t> places_;  // size is 0 or a power of two
};

}  // namespace oriel::log_module
