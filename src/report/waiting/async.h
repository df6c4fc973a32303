// Awaits with their source lines.
#pragma once

#include <string>
#include <vector>

#include "profile/waiting/async.h"
#include "report/report.h"
#include "report/words/shown_place.h"

namespace oriel::report {

struct ShownAwait {
  profile::AwaitPlace figures;
  ShownPlace at;
  ShownPlace awaited_by;  // nearest async caller of the longest one
  std::string awaited;    // "System.Threading.Tasks.Task.Delay"; "" if the code does not tell
};

// By time, descending: awaits of something other than a logged async method, or still pending.
std::vector<ShownAwait> shown_awaits(const profile::Profile& profile, const Options& options);

// "1.97 s in 129 awaits, 1.28 s of it in Awaits.Requests.LoadUser(int) (Program.cs:63), which awaits Task.Delay"; "" if
// there are none.
std::string awaits_text(const profile::Profile& profile, const Options& options);

}  // namespace oriel::report
