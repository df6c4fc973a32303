#include "cover/coverage_results.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <sstream>
#include <utility>

#include "base/text/shown_shell_word.h"
#include "commands.h"
#include "coverage/build.h"
#include "exit_codes.h"
#include "profile/merge.h"
#include "report/coverage/coverage_text.h"
#include "run/display.h"
#include "show/read_log.h"

namespace oriel::cli {

namespace {

profile::Profile merged(profile::Profile sum, profile::Profile more) {
  std::vector<profile::Profile> parts;
  parts.push_back(std::move(sum));
  parts.push_back(std::move(more));
  return profile::merge(std::move(parts));
}

}  // namespace

// One log at a time: a test run may have many processes.
Result<Covered> read_counted(const std::vector<std::string>& logs) {
  Covered covered;
  bool any = false;
  for (const std::string& log : logs) {
    Result<profile::Profile> profile = read_logs({log}, {});
    if (!profile) return profile.status();
    if (profile->covered_images.empty()) continue;
    if (!any) covered.intro = profile->intro;
    covered.counted = any ? merged(std::move(covered.counted), std::move(*profile)) : std::move(*profile);
    any = true;
  }
  if (!any)
    return Status::error(fmt::format("{} no coverage; oriel cover -- dotnet test writes a log that does",
                                     logs.size() == 1 ? logs[0] + " has" : "these logs have"));
  return covered;
}

Status show(const CoverChoice& options, Covered& covered) {
  Result<coverage::Choice> choice = choice_of(options);
  if (!choice) return choice.status();
  covered.coverage = coverage::coverage_of(covered.counted, *choice);
  if (!covered.coverage.methods.empty()) {
    for (const std::string& pattern : choice->methods.unmatched())
      say(fmt::format("--include {}: no code that ran matches it", pattern));
    return Status::ok();
  }
  for (const std::string& problem : covered.coverage.problems) say(problem);
  return Status::error(why_nothing(options, *choice));
}

void tell(const coverage::Coverage& coverage, const std::string& log) {
  constexpr size_t kRows = 8;
  report::Options display = display_of(STDERR_FILENO);
  display.width = std::max(display.width, report::kLeastWidth);
  display.limit = kRows;
  if (!log.empty()) display.same_log = shown_shell_word(log);
  std::ostringstream text;
  report::write_coverage(coverage, report::CoverageGroup::kFiles, display, text);
  std::cerr << text.str() << std::flush;
}

int check_thresholds(const std::vector<Threshold>& thresholds, const coverage::Totals& totals) {
  const std::vector<std::string> missing = below(thresholds, totals);
  for (const std::string& sentence : missing) say(sentence);
  return missing.empty() ? 0 : kBelow;
}

}  // namespace oriel::cli
