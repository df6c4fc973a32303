// Coverage of logs.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cover/cover_choice.h"
#include "cover/cover_files.h"
#include "cover/threshold.h"

namespace oriel::cli {

// What the logs counted, added up. Logs without coverage, as of the SDK's own processes, are passed over; an error if
// all are.
Result<Covered> read_counted(const std::vector<std::string>& logs);

// Makes of what was counted what people read. An error if there is nothing.
Status show(const CoverChoice& options, Covered& covered);

// On stderr: what is not tested first. `log`: where the coverage is kept, for commands to ask on; "" if nowhere.
void tell(const coverage::Coverage& coverage, const std::string& log);

// Says what is below. The exit code: kBelow, or 0.
int judge(const std::vector<Threshold>& thresholds, const coverage::Totals& totals);

}  // namespace oriel::cli
