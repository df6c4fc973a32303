#include "log/calls_block.h"

#include <algorithm>

#include "log/call_stack.h"

namespace oriel::log {

void Prediction::leave(uint32_t method, CallPlace& place) const {
  place.before = method;
  const uint32_t least = place.depth - std::min<uint32_t>(place.depth, CallStack::kMaxUnwound);
  for (uint32_t depth = place.depth; depth > least; --depth) {
    if (methods_[depth] != method) continue;
    place.depth = depth - 1;
    break;
  }
  place.top = methods_[place.depth];
}

}  // namespace oriel::log
