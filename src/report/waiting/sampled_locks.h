// Contention of locks without contention events, from samples of waits.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "report/words/json.h"
#include "report/words/lock_names.h"
#include "report/words/shown_place.h"

namespace oriel::report {

// Waits for one type of lock at one line.
struct SampledLock {
  std::string type;  // "ReaderWriterLockSlim"
  LockName name;     // its name in own code
  ShownPlace at;
  int64_t waited_ns = 0;
  uint32_t looks = 0;          // how often a thread was seen waiting
  std::set<uint32_t> threads;  // indexes
};

// By wait time, descending: locks that admit one or a few threads at a time, and Monitor and Lock at places without
// contention events.
std::vector<SampledLock> sampled_locks(const profile::Profile& profile, const Options& options);

// "the lock Shop.Names._gate (made in Shop.Names..ctor, Names.cs:12)"; "a ReaderWriterLockSlim" if it has no name.
std::string lock_text(const std::string& type, const LockName& name);

void write_sampled_locks(const std::vector<SampledLock>& locks, const profile::Profile& profile, const Options& options,
                         std::ostream& out);
Json sampled_locks_json(const std::vector<SampledLock>& locks, const profile::Profile& profile);

}  // namespace oriel::report
