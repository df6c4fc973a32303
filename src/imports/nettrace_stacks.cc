#include "imports/nettrace_stacks.h"

#include <algorithm>
#include <cstring>

#include "imports/sampled_frames.h"

namespace oriel::imports {

void TraceStacks::drop_old_answers() {
  if (version_ == process_.code().version()) return;
  version_ = process_.code().version();
  methods_.clear();
  known_.clear();
}

uint32_t TraceStacks::method_at(uint64_t address, uint64_t time) {
  if (const auto known = methods_.find(address); known != methods_.end()) return known->second;
  const uint32_t method = process_.code().find(address, time);
  if (method != CodeHistory::kNone) methods_[address] = method;  // code may come to where none is
  return method;
}

// Code without a name: all that is known is the file that it is from, if that.
NamedFrame TraceStacks::unknown(uint64_t address) {
  const std::string file = process_.file_at(address);
  if (file.empty() || is_code_map(file)) return {log::FrameKind::kNative, maker_.native("[code without a name]", "")};
  return frame_of_symbol("", file, maker_);
}

TraceStacks::Walked TraceStacks::walk(std::span<const uint8_t> stack, uint64_t time) {
  constexpr size_t kMostFrames = 100;  // the runtime's limit
  constexpr size_t kMostRead = 1'024;
  const size_t frames = std::min(stack.size() / pointer_bytes_, kMostRead);
  Walked walked;
  walked.deep = is_cut_ && frames >= kMostFrames;
  uint64_t unknown_before = 0;
  for (size_t i = frames; i-- > 0;) {
    uint64_t address = 0;
    std::memcpy(&address, stack.data() + i * pointer_bytes_, pointer_bytes_);
    // A call may be the last instruction of its method.
    const bool is_return = i > 0;
    const uint64_t inside = address - (is_return && address > 0 ? 1 : 0);
    walked.method = method_at(inside, time);
    const bool is_unknown = walked.method == CodeHistory::kNone;
    const NamedFrame frame = is_unknown ? unknown(inside) : process_.method(walked.method, maker_).frame;
    // Of frames that cannot be told apart one is enough.
    if (is_unknown && frame.id == unknown_before) continue;
    unknown_before = is_unknown ? frame.id : 0;
    const bool truncated = walked.deep && i + 1 == frames;
    walked.leaf.node = maker_.node(walked.leaf.node, frame.kind, frame.id, truncated);
    walked.leaf.has_managed |= frame.kind == log::FrameKind::kManaged;
  }
  return walked;
}

TraceStacks::Leaf TraceStacks::leaf_of(uint32_t number, std::span<const uint8_t> stack, uint64_t time, ThreadWas was) {
  process_.code().find(0, time);  // so that what came and went until then is known
  drop_old_answers();
  if (stack.empty()) return {};
  const auto known = known_.find(number);
  const Walked walked = known != known_.end() ? known->second : walk(stack, time);
  if (known == known_.end()) known_[number] = walked;
  deep_ += walked.deep;
  if (was == ThreadWas::kInManaged) return walked.leaf;
  const TraceMethod* method = walked.method == CodeHistory::kNone ? nullptr : &process_.method(walked.method, maker_);
  if (method && method->stops_for_samples) return walked.leaf;
  const uint64_t frame = method && method->only_waits ? waiting_frame(maker_) : outside_frame(maker_);
  return {maker_.node(walked.leaf.node, log::FrameKind::kNative, frame), walked.leaf.has_managed};
}

}  // namespace oriel::imports
