// Locks that threads waited for, in words.
#pragma once

#include <string>
#include <vector>

#include "profile/waiting/locks.h"
#include "report/words/lock_names.h"
#include "report/words/shown_place.h"

namespace oriel::report {

// Where those were that had it, for so much of the others' waits.
struct ShownHolder {
  ShownPlace at;
  int64_t ns = 0;
};

// Waits for locks of one type at one line.
struct ShownLock {
  std::string type;  // "object", "Cart", "System.Threading.Lock"
  LockName name;     // what own code calls it
  ShownPlace at;
  profile::LockPlace figures;
  std::vector<ShownHolder> held;  // longest first
};

// Longest waits first.
std::vector<ShownLock> shown_locks(const profile::Profile& profile, const Options& options);

}  // namespace oriel::report
