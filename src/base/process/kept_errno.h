// Restores errno at the end of a scope, as the program's own code continues afterwards.
#pragma once

#include <cerrno>

namespace oriel {

// Async-safe.
class KeptErrno {
 public:
  KeptErrno() : before_(errno) {}
  ~KeptErrno() { errno = before_; }
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;

 private:
  const int before_;
};

}  // namespace oriel
