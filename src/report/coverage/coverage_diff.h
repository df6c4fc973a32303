// Coverage beside an earlier one, and beside changed lines, as text.
#pragma once

#include <iosfwd>
#include <vector>

#include "coverage/compare.h"
#include "report/report.h"

namespace oriel::report {

// Files whose figures differ, those that lost most first.
void write_coverage_changes(const coverage::LineStates& before, const coverage::LineStates& now, const Options& options,
                            std::ostream& out);

// Of changed lines those that did not run, by file.
void write_touched(const std::vector<coverage::TouchedFile>& files, const Options& options, std::ostream& out);

// Only lines.
coverage::Totals totals_of(const std::vector<coverage::TouchedFile>& files);
coverage::Totals totals_of(const coverage::LineStates& states);

}  // namespace oriel::report
