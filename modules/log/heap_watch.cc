#include "heap_watch.h"

namespace oriel::log_module {

// Collections of the youngest generation are ignored: after them, the heap still has what the program has just used.
void HeapWatch::add(uint32_t generation, uint64_t bytes) {
  bytes_ = bytes;
  if (generation == 0) return;
  last_[seen_++ % kLast] = bytes;
  if (seen_ < kLast) return;
  grows_ ? look_for_end() : look_for_growth();
}

void HeapWatch::look_for_growth() {
  constexpr uint64_t kMuch = 8u << 20;
  base_ = std::min(base_, low());
  if (low() < base_ + base_ / 2 + kMuch) return;
  grows_ = true;
  level_ = low();
  without_ = 0;
}

// The growth ends after many collections without any: a program may have loaded its data and go on working with it.
void HeapWatch::look_for_end() {
  constexpr uint32_t kMany = 50;
  if (low() > level_ + level_ / 20) {
    level_ = low();
    without_ = 0;
  } else if (++without_ >= kMany) {
    grows_ = false;
    base_ = low();
  }
}

}  // namespace oriel::log_module
