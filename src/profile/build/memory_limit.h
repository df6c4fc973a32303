// How much memory the records of a log may take. A few bytes of one that no writer made can ask for a hundred times as
// much: then the rest is left out, and that is said. Logs of programs need less than half of it. Events and calls have
// what room they take: a recursion a million calls deep is a log of a few MB, and no fault.
#pragma once

#include <cstdint>

namespace oriel::profile {

class Room {
 public:
  // A log of so many bytes is to come. Until this is called there is room for anything.
  void open(uint64_t log_bytes);
  // Whether there is room for one more record; counts those for which there is none. What the process has is only
  // looked at now and then.
  bool for_record() {
    if (!full_ && ++asked_ % kEach == 0) look();
    left_out_ += full_;
    return !full_;
  }
  // So many bytes go to what is never left out, and do not take the others' room.
  void widen(uint64_t bytes) {
    if (most_ != UINT64_MAX) most_ += bytes;
  }
  uint64_t left_out() const { return left_out_; }
  // For the names of functions, which the records only point at.
  uint64_t for_names() const { return names_; }
  // How many threads. Each one takes some hundred bytes more in whatever is made of the profile.
  uint64_t for_threads() const { return threads_; }

 private:
  static constexpr uint32_t kEach = 512;
  void look();

  uint64_t most_ = UINT64_MAX;  // resident bytes of the process
  uint64_t names_ = UINT64_MAX;
  uint64_t threads_ = UINT64_MAX;
  uint64_t left_out_ = 0;
  uint32_t asked_ = 0;
  bool full_ = false;
};

}  // namespace oriel::profile
