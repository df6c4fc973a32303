// Coverage as text: what is not tested, most first.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "base/status.h"
#include "coverage/coverage.h"
#include "report/report.h"

namespace oriel::report {

enum class CoverageGroup { kFiles, kTypes, kNamespaces, kAssemblies, kTests };
// "file", which "" is too, "type", "namespace", "assembly", "test"; the error lists them.
Result<CoverageGroup> parse_coverage_group(const std::string& text);
std::vector<std::string> coverage_group_names();

enum class LineState { kMissed, kPartly, kCovered };
// Partly: not all of its statements ran, or not all of its ways were gone.
LineState state_of(const coverage::Coverage& coverage, const coverage::FileLine& line);

// "lines 82.1 % (1,204 of 1,466), branches 77.1 % (310 of 402), methods …", without an end.
std::string coverage_line(const coverage::Totals& totals);

// "37.5 %", but "100 %" only of all; "" of nothing.
std::string covered_percent(uint64_t hit, uint64_t all);

// Totals, the groups with most lines that did not run, and the largest methods that never ran.
void write_coverage(const coverage::Coverage& coverage, CoverageGroup group, const Options& options, std::ostream& out);
// What did not run, by file, as ranges of lines.
void write_uncovered(const coverage::Coverage& coverage, const Options& options, std::ostream& out);
// The source of what has that in its name, a file or methods, with marks. The error says that nothing has.
Status write_covered_source(const coverage::Coverage& coverage, const std::string& name, const Options& options,
                            std::ostream& out);

// The sums of each group but tests, most lines that did not run first.
struct CoverageRow {
  std::string name;
  coverage::Totals totals;
};
std::vector<CoverageRow> coverage_rows(const coverage::Coverage& coverage, CoverageGroup group);

}  // namespace oriel::report
