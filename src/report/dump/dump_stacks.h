// The stacks of a dump, by the log's nodes.
#pragma once

#include <string>
#include <vector>

#include "log/format.h"
#include "profile/build/id_map.h"
#include "profile/build/names.h"

namespace oriel::report {

class DumpStacks {
 public:
  void add(const log::StackNode& node) { nodes_.at(node.id) = node; }

  struct Stack {
    std::vector<std::string> frames;  // innermost first
    bool broken = false;              // the walk ended before the thread's start
  };
  // Empty of node 0.
  Stack stack(uint64_t node, const profile::Names& names) const;

 private:
  profile::IdMap<log::StackNode> nodes_;
};

}  // namespace oriel::report
