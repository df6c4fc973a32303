#include "exports/export.h"

#include <ostream>
#include <string>

#include "exports/frames.h"

namespace oriel::exports {

// Each is defined at the end of its own file.
extern const Export kCollapsedExport, kSpeedscopeExport, kPprofExport, kHtmlExport, kPerfettoExport, kFirefoxExport,
    kChromeTraceExport, kPerfScriptExport, kPerfMapExport, kOtlpExport, kGcdumpExport, kHeapsnapshotExport,
    kSqliteExport, kCsvExport, kParquetExport;

namespace {

constexpr const Export* kExports[] = {&kCollapsedExport,  &kSpeedscopeExport, &kPprofExport,   &kOtlpExport,
                                      &kHtmlExport,       &kPerfettoExport,   &kFirefoxExport, &kChromeTraceExport,
                                      &kPerfScriptExport, &kPerfMapExport,    &kGcdumpExport,  &kHeapsnapshotExport,
                                      &kSqliteExport,     &kCsvExport,        &kParquetExport};

}  // namespace

std::span<const Export* const> all_exports() { return kExports; }

Result<const Export*> find_export(std::string_view name) {
  std::string names;
  for (const Export* format : kExports) {
    if (name == format->name) return format;
    names += names.empty() ? "" : ", ";
    names += format->name;
  }
  return Status::error("there is no format \"" + std::string(name) + "\"; choose one of " + names);
}

Status write_export(const Export& format, const profile::Profile& profile, std::ostream& out, const Options& options) {
  if (Status status = check_profile(profile); !status) return status;
  if (Status status = format.write(profile, *format.own(options), out); !status) return status;
  out.flush();
  if (!out) return Status::error("the export could not be written whole; is the disk full?");
  return Status::ok();
}

}  // namespace oriel::exports
