// Texts about waits, for the summary and its hints.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lines/lines.h"
#include "profile/waiting/waits.h"
#include "report/words/json.h"
#include "report/words/shown_place.h"

namespace oriel::report {

// Waits for one thing at one line of an own method.
struct ShownWait {
  profile::WaitFor what = profile::WaitFor::kIdle;
  std::string text;  // "lock", "Thread.Sleep"
  ShownPlace at;     // in own code, if any
  uint32_t own = 0;  // a node of that place
  uint64_t periods = 0;
  uint64_t pool_periods = 0;   // of these, of pool threads
  uint32_t looks = 0;          // how often a thread was seen in it
  std::set<uint32_t> threads;  // indexes
};

// By periods, descending.
std::vector<ShownWait> shown_waits(const profile::WaitTotals& waits, const profile::Profile& profile,
                                   const Options& options);

// Periods as nanoseconds; 0 if the log does not say how long a period is.
int64_t ns_of(uint64_t periods, const profile::Profile& profile);

// Whether a wait time is long enough for a hint.
bool is_significant_wait(int64_t ns, const profile::Profile& profile);
// Whether threads were also seen so often that it is no chance.
bool is_significant_wait(int64_t ns, uint32_t looks, const profile::Profile& profile);

// "a lock", "Thread.Sleep": what a thread waits for there.
std::string wait_text(const profile::WaitPlace& place, const profile::Profile& profile);

// "lock", "sleep", …: the key in JSON.
const char* wait_key(profile::WaitFor what);

// Share of the lifetime of the threads that waited, 0 to 1; 0 if not known.
double waited_share(uint64_t periods, const profile::WaitTotals& waits, const profile::Profile& profile);

// "62.1 % of the lifetime of 4 threads: 2.10 s lock in Cart.Add(int), …"; "" if there are no waits.
std::string waited_text(const profile::Profile& profile);
Json waited_json(const profile::Profile& profile);

}  // namespace oriel::report
