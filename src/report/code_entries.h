// Which code the calls of methods ran: as it was written, specialized or compiled.
#pragma once

#include <ostream>
#include <string>

#include "profile/profile.h"
#include "report/report.h"
#include "report/words/json.h"

namespace oriel::report {

// "20,000 calls: 94.7 % of compiled code, 5.4 % as written; 1 OSR"; "" if the log does not tell.
std::string code_entries_text(const profile::Profile& profile);

// By method, those first that were called most often.
void write_code_entries(const profile::Profile& profile, const Options& options, std::ostream& out);

Json code_entries_json(const profile::Profile& profile, const Options& options);

}  // namespace oriel::report
