// Whether the heap grows, by its sizes after collections: while it does, it is worth its price to learn what of what is
// allocated stays.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace oriel::log_module {

class HeapWatch {
 public:
  // After a collection of that generation the heap has so many bytes.
  void add(uint32_t generation, uint64_t bytes);

  // It has grown by much since it last stood still, and still does.
  bool grows() const { return grows_; }

 private:
  static constexpr size_t kLast = 3;

  uint64_t low() const { return std::ranges::min(last_); }
  void look_for_growth();
  void look_for_end();

  std::array<uint64_t, kLast> last_ = {};  // sizes: of so many one is without what is only about to be collected
  uint64_t seen_ = 0;
  uint64_t base_ = UINT64_MAX;  // the least since it stood still
  uint64_t level_ = 0;          // up to where it has grown
  uint32_t without_ = 0;        // collections in a row without growth
  bool grows_ = false;
};

}  // namespace oriel::log_module
