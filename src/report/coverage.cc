// The report of coverage: what is not tested, most first.
#include "coverage/counted.h"
#include "report/coverage_text.h"
#include "report/json.h"
#include "report/table.h"

namespace oriel::report {
namespace {

using coverage::Totals;
using profile::Profile;

Status check_coverage(const Profile&, const Options& options) {
  const auto group = parse_coverage_group(options.by);
  return group ? Status::ok() : group.status();
}

Status write_report_of_coverage(const Profile& profile, const Options& options, std::ostream& out) {
  if (profile.coverage.images.empty()) {
    out << Style(options.color).bold("Coverage")
        << "\nThis log has none: oriel cover -- dotnet test makes one that has.\n";
    return Status::ok();
  }
  coverage::Choice all;
  const coverage::Coverage covered = coverage::coverage_of(profile.coverage, all);
  if (!options.source.empty()) return write_covered_source(covered, options.source, options, out);
  if (options.uncovered)
    write_uncovered(covered, options, out);
  else
    write_coverage(covered, *parse_coverage_group(options.by), options, out);
  return Status::ok();
}

Json totals_json(const Totals& totals) {
  return {{"lines", totals.lines},       {"lines_covered", totals.lines_hit},
          {"branches", totals.branches}, {"branches_covered", totals.branches_hit},
          {"methods", totals.methods},   {"methods_covered", totals.methods_hit}};
}

void coverage_json(const Profile& profile, const Options& options, Json& json) {
  coverage::Choice all;
  const coverage::Coverage covered = coverage::coverage_of(profile.coverage, all);
  json["mode"] = covered.counts ? "count" : "hit";
  json["totals"] = totals_json(totals_of(covered));
  json["problems"] = covered.problems;
  json["by"] = options.by.empty() ? "file" : options.by;
  json["rows"] = Json::array();
  for (const CoverageRow& row : coverage_rows(covered, *parse_coverage_group(options.by))) {
    Json entry = totals_json(row.totals);
    entry["name"] = row.name;
    json["rows"].push_back(std::move(entry));
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
    .help = "lines, branches and methods that ran, of oriel cover: what is not tested first",
    .check = check_coverage,
    .json = coverage_json,
    .write = write_report_of_coverage,
};

}  // namespace oriel::report
