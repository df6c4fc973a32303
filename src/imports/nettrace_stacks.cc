#include "imports/nettrace_stacks.h"

#include <algorithm>
#include <cstring>

#include "imports/sampled_frames.h"

namespace oriel::imports {

void TraceStacks::drop_old_answers() {
  if (version_ == names_.code().version()) return;
  version_ = names_.code().version();
  methods_.clear();
  known_.clear();
}

uint32_t TraceStacks::method_at(uint64_t address, uint64_t time) {
  if (const auto known = methods_.find(address); known != methods_.end()) return known->second;
  const uint32_t method = names_.code().find(address, time);
  if (method != CodeHistory::kNone) methods_[address] = method;  // code may come to where none is
  return method;
}

TraceStacks::Leaf TraceStacks::walk(std::span<const uint8_t> stack, uint64_t time) {
  constexpr size_t kMostFrames = 100;  // the runtime's limit
  constexpr size_t kMostRead = 1'024;
  const size_t frames = std::min(stack.size() / pointer_bytes_, kMostRead);
  Leaf leaf;
  leaf.deep = frames >= kMostFrames;
  bool was_unknown = false;
  for (size_t i = frames; i-- > 0;) {
    uint64_t address = 0;
    std::memcpy(&address, stack.data() + i * pointer_bytes_, pointer_bytes_);
    // A call may be the last instruction of its method.
    const bool is_return = i > 0;
    const uint32_t method = method_at(address - (is_return && address > 0 ? 1 : 0), time);
    const bool truncated = leaf.deep && i + 1 == frames;
    leaf.method = method;
    if (method != CodeHistory::kNone) {
      leaf.node = maker_.node(leaf.node, log::FrameKind::kManaged, names_.method(method, maker_).id, truncated);
    } else if (!was_unknown) {
      leaf.node =
          maker_.node(leaf.node, log::FrameKind::kNative, maker_.native("[code without a name]", ""), truncated);
    }
    was_unknown = method == CodeHistory::kNone;
  }
  return leaf;
}

uint64_t TraceStacks::leaf_of(uint32_t number, std::span<const uint8_t> stack, uint64_t time, ThreadWas was) {
  names_.code().find(0, time);  // so that what came and went until then is known
  drop_old_answers();
  if (stack.empty()) return 0;
  const auto known = known_.find(number);
  const Leaf leaf = known != known_.end() ? known->second : walk(stack, time);
  if (known == known_.end()) known_[number] = leaf;
  deep_ += leaf.deep;
  if (was == ThreadWas::kInManaged) return leaf.node;
  const TraceMethod* method = leaf.method == CodeHistory::kNone ? nullptr : &names_.method(leaf.method, maker_);
  if (method && method->stops_for_samples) return leaf.node;
  const uint64_t frame = method && method->only_waits ? waiting_frame(maker_) : outside_frame(maker_);
  return maker_.node(leaf.node, log::FrameKind::kNative, frame);
}

}  // namespace oriel::imports
