// One writer a format; export.h chooses among them. They rely on check_profile.
#pragma once

#include <iosfwd>

#include "base/status.h"
#include "export/export.h"

namespace oriel::exporting {

void write_collapsed(const profile::Profile& profile, std::ostream& out, bool per_thread);
void write_speedscope(const profile::Profile& profile, std::ostream& out);
Status write_pprof(const profile::Profile& profile, std::ostream& out);
void write_html(const profile::Profile& profile, std::ostream& out);

}  // namespace oriel::exporting
