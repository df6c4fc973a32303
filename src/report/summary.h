// The first screen about a log, in parts for other forms of presentation.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"
#include "report/report.h"

namespace oriel::report {

// A line of the summary: what ran, for how long, what was recorded, what is missing.
struct Fact {
  enum class Kind {
    kText,     // wrapped over several lines
    kLine,     // on one line, cut in the middle
    kWarning,  // as kText, highlighted
  };
  const char* label = "";
  std::string text;
  Kind kind = Kind::kText;
  std::string command = {};  // shows it in full: "oriel report gc"; "" if there is none
};

// Facts that apply to the log, in order. Texts are clean.
std::vector<Fact> summary_facts(const profile::Profile& profile);
// Facts that come first: waits of threads, async methods and requests.
std::vector<Fact> wait_facts(const profile::Profile& profile, const Options& options);

}  // namespace oriel::report
