#include "report/dump/dump_stacks.h"

namespace oriel::report {

// A parent's id is less than its child's in any honest log.
DumpStacks::Stack DumpStacks::stack(uint64_t id, const profile::Names& names) const {
  Stack stack;
  if (id == 0) return stack;
  const log::StackNode* node = nodes_.find(id);
  while (node) {
    stack.frames.push_back(node->kind == log::FrameKind::kManaged ? names.method_name(node->frame)
                                                                  : names.native_name(node->frame));
    stack.broken = stack.broken || node->truncated;
    if (node->parent == 0) return stack;
    node = node->parent < node->id ? nodes_.find(node->parent) : nullptr;
  }
  stack.frames.emplace_back("[callers not in the log]");
  return stack;
}

}  // namespace oriel::report
