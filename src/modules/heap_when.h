// When a log takes snapshots of the heap by itself: "on-exit", "every=60s", "on-growth=20%",
// "on-signal=USR2", or several with '+'.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace oriel::modules {

struct HeapWhen {
  bool at_end = false;          // of the program, or of the log
  uint64_t every_ns = 0;        // 0: not so
  uint32_t growth_percent = 0;  // of the heap's size after a collection, since the last snapshot; 0: not so
  int signal = 0;               // that asks for one; 0: none

  bool any() const { return at_end || every_ns != 0 || growth_percent != 0 || signal != 0; }
  bool operator==(const HeapWhen&) const = default;
};

// Nothing for "". The error says only what is possible.
Result<HeapWhen> parse_heap_when(std::string_view text);

}  // namespace oriel::modules
