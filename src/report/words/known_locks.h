// Locks of libraries that programs often contend for, with advice.
#pragma once

#include <string_view>

namespace oriel::report {

struct KnownLock {
  std::string_view type_has;  // part of the name of the lock object's type
  const char* what;
  const char* advice;  // a sentence
};

// Null for other locks.
const KnownLock* known_lock(std::string_view type);

}  // namespace oriel::report
