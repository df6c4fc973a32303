// Detects a growing heap from its sizes after collections. While the heap grows, it is worthwhile to follow which of
// the allocated objects stay.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace oriel::log_module {

class HeapWatch {
 public:
  // Reports the heap's size after a collection of that generation.
  void add(uint32_t generation, uint64_t bytes);

  // Whether the heap has grown considerably since it last stood still, and still grows.
  bool grows() const { return grows_; }
  // The last size, 0 if there was none.
  uint64_t bytes() const { return bytes_; }

 private:
  static constexpr size_t kLast = 3;

  uint64_t low() const { return std::ranges::min(last_); }
  void look_for_growth();
  void look_for_end();

  std::array<uint64_t, kLast> last_ = {};  // sizes; the least of three has no garbage that awaits a collection
  uint64_t bytes_ = 0;
  uint64_t seen_ = 0;
  uint64_t base_ = UINT64_MAX;  // the least size since it stood still
  uint64_t level_ = 0;          // the size that it has grown to
  uint32_t without_ = 0;        // consecutive collections without growth
  bool grows_ = false;
};

}  // namespace oriel::log_module
