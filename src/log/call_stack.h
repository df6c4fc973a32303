// The methods that a thread is in, kept alike by the encoder and the decoder of its calls: an exit of the one on top is
// written without its method.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace oriel::log {

class CallStack {
 public:
  // How far up a method is looked for: each exit of a hostile file would else cost its whole depth.
  static constexpr size_t kMaxUnwound = 256;

  void enter(uint64_t method) { methods_.push_back(method); }
  // The method on top; 0 if none is known.
  uint64_t top() const { return methods_.empty() ? 0 : methods_.back(); }
  void leave_top() {
    if (!methods_.empty()) methods_.pop_back();
  }
  // A method left: it goes from the stack, and what was entered above it.
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

}  // namespace oriel::log
