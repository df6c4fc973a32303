// The threads of Mono's collector, which work on while the program is stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oriel::mono {

class CollectorThreads {
 public:
  // Those there are. Allocates.
  CollectorThreads();

  // Whether all of them wait for something to do. A copy of the process has none of them, and what one of them was at
  // would never be finished in it. Neither locks nor allocates.
  bool are_idle() const;

  std::span<const uint32_t> all() const { return threads_; }

 private:
  std::vector<uint32_t> threads_;
};

}  // namespace oriel::mono
