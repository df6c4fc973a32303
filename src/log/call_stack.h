// The methods on a thread's call stack, maintained identically by the encoder and the decoder of calls: an exit of the
// top method is written without the method.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace oriel::log {

class CallStack {
 public:
  // How deep a method is searched: in a hostile file each exit could otherwise cost the whole depth.
  static constexpr size_t kMaxUnwound = 256;

  void enter(uint64_t method) { methods_.push_back(method); }
  // The top method; 0 if unknown.
  uint64_t top() const { return methods_.empty() ? 0 : methods_.back(); }
  void leave_top() {
    if (!methods_.empty()) methods_.pop_back();
  }
  // Pops the method and everything above it.
  void leave(uint64_t method) {
    const auto from = methods_.rbegin();
    const auto limit = from + static_cast<std::ptrdiff_t>(std::min(methods_.size(), kMaxUnwound));
    const auto found = std::find(from, limit, method);
    if (found != limit) methods_.erase(found.base() - 1, methods_.end());
  }
  void forget() { methods_.clear(); }

 private:
  std::vector<uint64_t> methods_;
};

// What a leave ends: so many open calls from the top. Only the outermost of them was left, if it is the method's; the
// others have no leave. Without a pair the leave has no enter.
struct LeftCalls {
  size_t ended = 0;
  bool is_paired = true;

  size_t without_leave() const { return ended - (is_paired ? 1 : 0); }
};

// Of a leave as it is told to a sink, whose method is 0 if the decoder does not know the stack: part of the log is
// damaged, and the sink's stack may be wrong. `method_at`: of the open calls, the outermost at 0.
template <typename MethodAt>
LeftCalls left_calls(size_t depth, uint64_t method, const MethodAt& method_at) {
  const size_t reach = std::min(depth, CallStack::kMaxUnwound);
  for (size_t up = 1; up <= reach; ++up)
    if (method_at(depth - up) == method) return {up, true};
  return {method == 0 ? depth : 0, false};
}

}  // namespace oriel::log
