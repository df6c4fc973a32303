// The coverage report: least covered code first.
#include <fmt/format.h>

#include "coverage/build.h"
#include "profile/recorded.h"
#include "report/coverage/coverage_tests.h"
#include "report/coverage/coverage_text.h"
#include "report/words/json.h"
#include "report/words/table.h"
#include "report/words/units.h"

namespace oriel::report {
namespace {

using coverage::Totals;
using profile::Profile;

struct CoverageOptions : Options {
  std::string by;          // what to sum up; "": files
  bool uncovered = false;  // which lines did not run, by file
  std::string source;      // the source of this file or method, with marks
  std::string tests_of;    // the tests that run this line, file or method
};

constexpr Option kCoverageOptions[] = {
    own_option<Options, &CoverageOptions::by>(
        "--by", "GROUP", "Group by file (default), type, namespace, assembly or test", coverage_group_names),
    own_flag<Options, &CoverageOptions::uncovered>("--uncovered", "List the lines that did not run, by file"),
    own_option<Options, &CoverageOptions::source>("--source", "NAME",
                                                  "Show the source of a file or of methods, with coverage marks"),
    own_option<Options, &CoverageOptions::tests_of>("--tests-of", "PLACE",
                                                    "List the tests that run a line (FILE:LINE), a file or a method"),
};

// The runtime compiles nothing anew that can be unloaded, and no dynamic methods.
coverage::Coverage coverage_in(const Profile& profile) {
  coverage::Choice all;
  coverage::Coverage covered = coverage::coverage_of(profile, all);
  covered.by_dotnet_test = !profile::is_of_mono(profile);
  if (const uint64_t late = profile::began_late_ms(profile); late > 0)
    covered.problems.push_back(
        fmt::format("counted from {} after the program's start on: what ran only before does not count, nor do calls "
                    "that were under way then. Nor does code that was compiled by then and can be unloaded, or was "
                    "inlined into dynamic methods",
                    duration(static_cast<int64_t>(late) * 1'000'000)));
  return covered;
}

Status write_report_of_coverage(const Profile& profile, const CoverageOptions& options, std::ostream& out) {
  if (profile.covered_images.empty()) {
    out << Style(options.color).bold("Coverage")
        << "\nThis log has no coverage; oriel cover -- dotnet test writes one that does.\n";
    return Status::ok();
  }
  const coverage::Coverage covered = coverage_in(profile);
  const bool about_tests = !options.tests_of.empty() || options.by == "test";
  if (const std::string why = why_no_tests(covered); about_tests && !why.empty()) return Status::error(why);
  if (!options.tests_of.empty()) {
    const Result<CoveredLines> lines = lines_named(covered, options.tests_of);
    if (!lines) return lines.status();
    write_tests_of(covered, *lines, options.tests_of, options, out);
    return Status::ok();
  }
  if (!options.source.empty()) return write_covered_source(covered, options.source, options, out);
  if (options.uncovered)
    write_uncovered(covered, options, out);
  else
    write_coverage(covered, *parse_coverage_group(options.by), options, out);
  return Status::ok();
}

Json coverage_totals_json(const Totals& totals) {
  return {{"lines", totals.lines},       {"lines_covered", totals.lines_hit},
          {"branches", totals.branches}, {"branches_covered", totals.branches_hit},
          {"methods", totals.methods},   {"methods_covered", totals.methods_hit}};
}

Json tests_json(const std::vector<TestRow>& rows) {
  Json tests = Json::array();
  for (const TestRow& row : rows)
    tests.push_back({{"name", row.test->name},
                     {"lines", row.lines},
                     {"lines_alone", row.alone},
                     {"beside_others", row.test->shared}});
  return tests;
}

Json rows_json(const coverage::Coverage& covered, CoverageGroup group) {
  if (group == CoverageGroup::kTests) return tests_json(test_rows(covered));
  Json rows = Json::array();
  for (const CoverageRow& row : coverage_rows(covered, group)) {
    Json entry = coverage_totals_json(row.totals);
    entry["name"] = row.name;
    rows.push_back(std::move(entry));
  }
  return rows;
}

void coverage_json(const Profile& profile, const CoverageOptions& options, Json& json) {
  const coverage::Coverage covered = coverage_in(profile);
  json["mode"] = covered.counts ? "count" : "hit";
  json["totals"] = coverage_totals_json(totals_of(covered));
  json["problems"] = covered.problems;
  json["by"] = options.by.empty() ? "file" : options.by;
  json["rows"] = rows_json(covered, *parse_coverage_group(options.by));
  if (!options.tests_of.empty()) {
    const Result<CoveredLines> lines = lines_named(covered, options.tests_of);
    json["tests_of"] = options.tests_of;
    json["tests"] = tests_json(lines ? tests_of(covered, *lines) : std::vector<TestRow>());
  }
  if (!options.uncovered) return;
  json["uncovered"] = Json::array();
  for (const coverage::File& file : covered.files) {
    Json never = Json::array(), partly = Json::array();
    for (const coverage::FileLine& line : file.lines)
      if (const LineState state = state_of(covered, line); state != LineState::kCovered)
        (state == LineState::kMissed ? never : partly).push_back(line.number);
    if (!never.empty() || !partly.empty())
      json["uncovered"].push_back({{"file", file.path}, {"never", std::move(never)}, {"partly", std::move(partly)}});
  }
}

}  // namespace

extern const Report kCoverageReport = {
    .name = "coverage",
    .help = "lines, branches and methods that ran (oriel cover), largest gaps first",
    .options = kCoverageOptions,
    .own = own_options<CoverageOptions>,
    .json = by_own<coverage_json>,
    .write = by_own<write_report_of_coverage>,
};

}  // namespace oriel::report
