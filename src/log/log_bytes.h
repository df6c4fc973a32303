// The bytes of a log in a file: its own, and those of its tail (tail_file.h) if its writer has not flushed these.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/files/input_file.h"
#include "log/ring_view.h"
#include "log/tail_file.h"

namespace oriel::log {

class LogBytes {
 public:
  // As they are now: a log may grow. Errors as InputFile::open.
  static Result<LogBytes> open(const std::string& path);

  uint64_t size() const { return own_ + tail_.size(); }
  uint64_t own_size() const { return own_; }  // without the tail's
  // As InputFile::read_some: fewer bytes only at the end, or if the file was cut meanwhile.
  int64_t read_some(uint64_t offset, uint8_t* to, size_t size) const;

  // The whole file of a recorder, as its log may begin anywhere in it, and the tails beside it. An error says why it
  // cannot be read.
  Result<std::vector<uint8_t>> read_ring(const RingView& ring) const;
  std::span<const Tail> tails() const { return tails_; }

 private:
  explicit LogBytes(InputFile file) : file_(std::move(file)), own_(file_.size()) {}
  Status find_tail();
  Result<bool> has_check_behind(uint64_t at) const;
  void leave_out_overwritten(const RingView& ring, std::vector<uint8_t>& file) const;

  InputFile file_;
  uint64_t own_;  // bytes of the file that are the log's
  std::vector<Tail> tails_;
  std::vector<uint8_t> tail_;  // the bytes behind these
};

}  // namespace oriel::log
