// Coverage compared with an earlier one or with changed lines, as text.
#pragma once

#include <iosfwd>
#include <vector>

#include "coverage/compare.h"
#include "report/report.h"

namespace oriel::report {

// Files with changed figures; largest loss first.
void write_coverage_changes(const coverage::LineStates& before, const coverage::LineStates& now, const Options& options,
                            std::ostream& out);

// Changed lines that did not run, by file.
void write_touched(const std::vector<coverage::TouchedFile>& files, const Options& options, std::ostream& out);

// Totals of lines only.
coverage::Totals totals_of(const std::vector<coverage::TouchedFile>& files);
coverage::Totals totals_of(const coverage::LineStates& states);

}  // namespace oriel::report
