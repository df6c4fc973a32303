#include "export/export.h"

#include <ostream>

#include "export/frames.h"
#include "export/writers.h"

namespace oriel::exporting {
namespace {

Status write_format(Format format, const profile::Profile& profile, std::ostream& out, const Options& options) {
  switch (format) {
    case Format::kCollapsed:
      write_collapsed(profile, out, options.per_thread);
      break;
    case Format::kSpeedscope:
      write_speedscope(profile, out);
      break;
    case Format::kPprof:
      return write_pprof(profile, out);
    case Format::kHtml:
      write_html(profile, out);
      break;
  }
  return Status::ok();
}

}  // namespace

Status write_export(Format format, const profile::Profile& profile, std::ostream& out, const Options& options) {
  if (Status status = check_profile(profile); !status) return status;
  if (Status status = write_format(format, profile, out, options); !status) return status;
  out.flush();
  if (!out) return Status::error("the export could not be written whole; is the disk full?");
  return Status::ok();
}

}  // namespace oriel::exporting
