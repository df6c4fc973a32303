#include "report/report.h"

#include <algorithm>
#include <ostream>

#include "report/json.h"

namespace oriel::report {

// Each stands at the end of its own file.
extern const Report kSummaryReport, kSharesReport, kTopReport, kTreeReport, kCallersReport, kThreadsReport, kGcReport,
    kJitReport, kExceptionsReport, kCallsReport, kAllocReport, kCallgraphReport, kLinesReport, kProcessesReport,
    kDiffReport, kDumpReport;

namespace {

constexpr const Report* kReports[] = {&kSummaryReport,    &kSharesReport,    &kTopReport,   &kTreeReport,
                                      &kCallersReport,    &kThreadsReport,   &kGcReport,    &kJitReport,
                                      &kExceptionsReport, &kCallsReport,     &kAllocReport, &kCallgraphReport,
                                      &kLinesReport,      &kProcessesReport, &kDiffReport,  &kDumpReport};

}  // namespace

std::span<const Report* const> all_reports() { return kReports; }

const Report* find_report(std::string_view name) {
  const auto* found = std::find_if(std::begin(kReports), std::end(kReports),
                                   [&](const Report* report) { return name == report->name; });
  return found == std::end(kReports) ? nullptr : *found;
}

Status write_report(const Report& report, const profile::Profile& profile, const Options& wanted, std::ostream& out) {
  if (report.compares) return Status::error("a comparison is of two sides: call write_diff");
  if (report.stream) return Status::error("a dump is written from the log file: call write_dump");
  Options options = wanted;
  options.width = std::max(options.width, kLeastWidth);
  if (report.check) {
    if (Status status = report.check(profile, options); !status) return status;
  }
  if (options.json) {
    Json json = json_head(report, profile);
    report.json(profile, options, json);
    // Names may hold any bytes: what is no UTF-8 becomes U+FFFD.
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    report.text(profile, options, out);
  }
  out.flush();
  return out.good() ? Status::ok() : Status::error("the report could not be written: is the disk full?");
}

}  // namespace oriel::report
