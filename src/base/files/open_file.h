// A descriptor that is closed with its owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace oriel {

class OpenFile {
 public:
  // As returned by open(2): negative if there is none.
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile() {
    if (number_ >= 0) close(number_);
  }
  OpenFile(OpenFile&& other) noexcept : number_(other.release()) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int number() const { return number_; }
  // Closes it and owns another.
  void replace(int number) {
    if (number_ >= 0) close(number_);
    number_ = number;
  }
  // Passes ownership to the caller.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace oriel
