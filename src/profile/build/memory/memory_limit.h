// Limits the memory that a log's records may take. A few bytes of a forged log can ask for a hundred times as much;
// records beyond the limit are dropped and reported. Valid logs need less than half of it. Events and calls are not
// limited: a recursion a million calls deep is a valid log of a few MB.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::profile {

class MemoryLimit {
 public:
  // Sets the limit for a log of that many bytes. Without this call there is none.
  void open(uint64_t log_bytes);
  // Whether one more record fits; counts those that do not. Resident memory is measured only at intervals.
  bool for_record() {
    if (!full_ && ++asked_ % kEach == 0) look();
    left_out_ += full_;
    return !full_;
  }
  // How many of so many records fit, all or none, of some 24 bytes each; a log may have hundreds of millions.
  size_t for_small_records(size_t records) {
    asked_small_ += records;
    if (!full_ && asked_small_ >= kEachSmall) {
      asked_small_ = 0;
      look();
    }
    if (full_) left_out_ += records;
    return full_ ? 0 : records;
  }
  // Compressed blocks have so many bytes more than in the log. Raises the limit, but not by more than a log that a
  // program wrote needs: a forged one may have blocks of 64 times its size.
  void add_unpacked(uint64_t bytes);
  // Raises the limit by what is never dropped, so that it does not take room from other records.
  void raise_limit(uint64_t bytes) {
    if (most_ != UINT64_MAX) most_ += bytes;
  }
  uint64_t left_out() const { return left_out_; }
  // Limit for names of functions, to which records only refer.
  uint64_t for_names() const { return names_; }
  // Limit for the number of threads, which take some hundred bytes each wherever the profile is used.
  uint64_t for_threads() const { return threads_; }

 private:
  static constexpr uint32_t kEach = 512, kEachSmall = 32 * kEach;
  void look();

  uint64_t most_ = UINT64_MAX;  // limit of the process's resident memory
  uint64_t names_ = UINT64_MAX;
  uint64_t threads_ = UINT64_MAX;
  uint64_t unpacked_left_ = 0;  // bytes by which compressed blocks may still raise the limits
  uint64_t left_out_ = 0;
  uint32_t asked_ = 0;
  size_t asked_small_ = 0;
  bool full_ = false;
};

}  // namespace oriel::profile
