// Locks whose waits the runtime does not tell one by one: what samples of waits say of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/words/json.h"
#include "report/words/lock_names.h"
#include "report/words/shown_place.h"

namespace oriel::report {

// Waits for locks of one kind at one line.
struct SampledLock {
  std::string type;  // "ReaderWriterLockSlim"
  LockName name;     // what own code calls it
  ShownPlace at;
  int64_t waited_ns = 0;
  uint32_t threads = 0;
};

// Longest first: those that keep one or few threads in at a time, and Monitor and Lock where no wait of theirs was
// told.
std::vector<SampledLock> sampled_locks(const profile::Profile& profile, const Options& options);

// "the lock Shop.Names._gate (made in Shop.Names..ctor, Names.cs:12)"; "a ReaderWriterLockSlim" of one without a name.
std::string lock_text(const std::string& type, const LockName& name);

void write_sampled_locks(const std::vector<SampledLock>& locks, const profile::Profile& profile, const Options& options,
                         std::ostream& out);
Json sampled_locks_json(const std::vector<SampledLock>& locks, const profile::Profile& profile);

}  // namespace oriel::report
