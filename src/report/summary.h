// The one screen that a person wants to see first, in parts for whoever shows it in another form.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"
#include "report/report.h"

namespace oriel::report {

// A line of the summary: what ran, for how long, what was recorded, what is missing.
struct Fact {
  enum class Kind {
    kText,     // over as many lines as it needs
    kLine,     // on one line, cut in the middle
    kWarning,  // as kText
  };
  const char* label = "";
  std::string text;
  Kind kind = Kind::kText;
  std::string command = {};  // what shows it in full: "oriel report gc"; "" if nothing does
};

// Those that there is something to say of, in the order in which to show them. Texts are clean.
std::vector<Fact> summary_facts(const profile::Profile& profile);
// Likewise, what comes before them: what threads, async methods and whoever asked the program waited for.
std::vector<Fact> wait_facts(const profile::Profile& profile, const Options& options);

}  // namespace oriel::report
