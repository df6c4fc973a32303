#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "profile/trees/call_tree.h"
#include "profile/trees/oriel_frames.h"
#include "profile/trees/scaffolding.h"
#include "report/words/json.h"
#include "report/words/json_text.h"

namespace oriel::report {

// Each is defined at the end of its own file.
extern const Report kSummaryReport, kSharesReport, kWaitsReport, kLocksReport, kAsyncReport, kRequestsReport,
    kTopReport, kTreeReport, kCallersReport, kThreadsReport, kGcReport, kHeapReport, kJitReport, kExceptionsReport,
    kCountersReport, kCallsReport, kAllocReport, kCallgraphReport, kLinesReport, kCoverageReport, kProcessesReport,
    kDiffReport, kTablesReport, kRowsReport, kDumpReport;

using profile::Profile;

namespace {

constexpr const Report* kReports[] = {
    &kSummaryReport,   &kSharesReport, &kWaitsReport,     &kLocksReport,      &kAsyncReport,
    &kRequestsReport,  &kTopReport,    &kTreeReport,      &kCallersReport,    &kThreadsReport,
    &kGcReport,        &kHeapReport,   &kJitReport,       &kExceptionsReport, &kCountersReport,
    &kCallsReport,     &kAllocReport,  &kCallgraphReport, &kLinesReport,      &kCoverageReport,
    &kProcessesReport, &kDiffReport,   &kTablesReport,    &kRowsReport,       &kDumpReport};

// By function: those that the user named, which must not be folded.
std::vector<bool> selected_functions(const Profile& profile, const Options& options) {
  std::vector<bool> selected(profile.functions.size());
  const auto* named = dynamic_cast<const NamedOptions*>(&options);
  if (named && !named->name.empty())
    for (const profile::FunctionTotals& entry : profile::matching_functions(profile, named->name))
      selected[entry.function] = true;
  const std::string& kept = profile.filter.method;
  for (size_t i = 1; i < selected.size(); ++i)
    if (!kept.empty() && profile.functions[i].name.find(kept) != std::string::npos) selected[i] = true;
  return selected;
}

}  // namespace

std::span<const Report* const> all_reports() { return kReports; }

const Report* find_report(std::string_view name) {
  const auto* found = std::find_if(std::begin(kReports), std::end(kReports),
                                   [&](const Report* report) { return name == report->name; });
  return found == std::end(kReports) ? nullptr : *found;
}

Status set_option(const Report& report, Options& options, std::string_view name, const std::string& value) {
  Status status = set_own_option("report", all_reports(), report, options, name, value);
  // Some take "--tree", and there is a report of that name.
  const Report* called_so = find_report(name.substr(std::min(name.find_first_not_of('-'), name.size())));
  if (status || !called_so || find_own_option(report, name)) return status;
  return Status::error(fmt::format("{}; see also oriel report {}", status.message(), called_so->name));
}

Status write_report(const Report& report, Profile profile, const Options& wanted, std::ostream& out) {
  if (report.compares) return Status::error("a comparison is of two sides: call write_diff");
  if (report.stream) return Status::error("a dump is written from the log file: call write_dump");
  const std::unique_ptr<Options> own = report.own(wanted);
  Options& options = *own;
  options.width = std::max(options.width, kLeastWidth);
  if (report.check) {
    if (Status status = report.check(profile, options); !status) return status;
  }
  if (report.of_methods && !options.all_frames) profile::fold_oriel(profile);
  if (report.folds && !options.all_frames) profile::fold_scaffolding(profile, selected_functions(profile, options));
  if (options.json) {
    Json json = json_head(report, profile);
    report.json(profile, options, json);
    out << json_text(json, 2) << '\n';
  } else if (report.write) {
    if (Status status = report.write(profile, options, out); !status) return status;
  } else {
    report.text(profile, options, out);
  }
  out.flush();
  return out.good() ? Status::ok() : Status::error("the report could not be written: is the disk full?");
}

}  // namespace oriel::report
