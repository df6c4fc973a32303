// Where async methods wait, with their lines.
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
  ShownPlace awaited_by;  // the nearest caller of the longest one
  std::string awaited;    // "System.Threading.Tasks.Task.Delay"; "" where the code does not tell
};

// Longest first: those that await what is no async method of the log's, or where that never ended.
std::vector<ShownAwait> shown_awaits(const profile::Profile& profile, const Options& options);

// "1.97 s in 129 awaits, 1.28 s of it in Awaits.Requests.LoadUser(int) (Program.cs:63), which awaits Task.Delay"; ""
// where there are none.
std::string awaits_text(const profile::Profile& profile, const Options& options);

}  // namespace oriel::report
