// Locks of libraries that programs wait for often, and what can be done about it.
#pragma once

#include <string_view>

namespace oriel::report {

struct KnownLock {
  std::string_view type_has;  // the type of the object that is locked has this in its name
  const char* what;
  const char* advice;  // a sentence
};

// Nullptr of all others.
const KnownLock* known_lock(std::string_view type);

}  // namespace oriel::report
