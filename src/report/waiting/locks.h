// Lock contention with names and source lines.
#pragma once

#include <string>
#include <vector>

#include "profile/waiting/locks.h"
#include "report/words/lock_names.h"
#include "report/words/shown_place.h"

namespace oriel::report {

// Where an owner was, and for how much of the others' wait time.
struct ShownHolder {
  ShownPlace at;
  int64_t ns = 0;
};

// Waits for locks of one type at one line.
struct ShownLock {
  std::string type;  // "object", "Cart", "System.Threading.Lock"
  LockName name;     // its name in own code
  ShownPlace at;
  profile::LockPlace figures;
  std::vector<ShownHolder> held;  // by time, descending
};

// By wait time, descending.
std::vector<ShownLock> shown_locks(const profile::Profile& profile, const Options& options);

}  // namespace oriel::report
