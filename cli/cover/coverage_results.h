// Reads and shows coverage from logs.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cover/cover_choice.h"
#include "cover/cover_files.h"
#include "cover/threshold.h"

namespace oriel::cli {

// Merges the coverage in the logs. Logs without coverage, such as those of SDK processes, are skipped; an error if all
// are.
Result<Covered> read_counted(const std::vector<std::string>& logs);

// Fills `covered.coverage` from what was counted. An error if it is empty.
Status show(const CoverChoice& options, Covered& covered);

// Writes a summary to stderr, least covered code first. `log` is the coverage's log for follow-up commands; "" if there
// is none.
void tell(const coverage::Coverage& coverage, const std::string& log);

// Reports thresholds that are not met. Returns the exit code: kBelow, or 0.
int check_thresholds(const std::vector<Threshold>& thresholds, const coverage::Totals& totals);

}  // namespace oriel::cli
