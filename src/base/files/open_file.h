// A descriptor that is closed with whoever has it.
#pragma once

#include <unistd.h>

#include <utility>

namespace oriel {

class OpenFile {
 public:
  // As open(2) gives it: below 0 there is none.
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile() {
    if (number_ >= 0) close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int number() const { return number_; }
  // It is the caller's from now on.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace oriel
