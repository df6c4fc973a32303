// Waits in words: what the summary and its hints say of them.
#pragma once

#include <string>
#include <vector>

#include "lines/lines.h"
#include "profile/waiting/waits.h"
#include "report/words/json.h"
#include "report/words/shown_place.h"

namespace oriel::report {

// Waits of one own method's line for one thing.
struct ShownWait {
  profile::WaitFor what = profile::WaitFor::kIdle;
  std::string text;  // "lock", "Thread.Sleep"
  ShownPlace at;     // own code, if there is any
  uint32_t own = 0;  // a node of that place
  uint64_t periods = 0;
  uint64_t pool_periods = 0;  // of these, of threads of the pool
  uint32_t threads = 0;
};

// Most first.
std::vector<ShownWait> shown_waits(const profile::Waits& waits, const profile::Profile& profile,
                                   const Options& options);

// Periods as time; 0 where the log does not tell how long one is.
int64_t ns_of(uint64_t periods, const profile::Profile& profile);

// Whether threads wait for something so long that a hint is worth its lines.
bool is_much_waiting(int64_t ns, const profile::Profile& profile);

// "a lock", "Thread.Sleep": what a thread waits for there.
std::string wait_text(const profile::WaitPlace& place, const profile::Profile& profile);

// "lock", "sleep", …: as in JSON.
const char* wait_key(profile::WaitFor what);

// Share of the time that the threads that waited were there, 0 to 1; 0 where nothing tells.
double waited_share(uint64_t periods, const profile::Waits& waits, const profile::Profile& profile);

// "62.1 % of the lifetime of 4 threads: 2.10 s lock in Cart.Add(int), …"; "" if there is nothing to tell.
std::string waited_text(const profile::Profile& profile);
Json waited_json(const profile::Profile& profile);

}  // namespace oriel::report
