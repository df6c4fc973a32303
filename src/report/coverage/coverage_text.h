// Coverage as text: least covered code first.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "base/status.h"
#include "coverage/coverage.h"
#include "report/report.h"

namespace oriel::report {

enum class CoverageGroup { kFiles, kTypes, kNamespaces, kAssemblies, kTests };
// "file" or "", "type", "namespace", "assembly", "test"; the error lists them.
Result<CoverageGroup> parse_coverage_group(const std::string& text);
std::vector<std::string> coverage_group_names();

enum class LineState { kMissed, kPartly, kCovered };
// kPartly: some of its statements did not run, or some of its branches were not taken.
LineState state_of(const coverage::Coverage& coverage, const coverage::FileLine& line);

// "lines 82.1 % (1,204 of 1,466), branches 77.1 % (310 of 402), methods …", without a full stop.
std::string coverage_line(const coverage::Totals& totals);

// "37.5 %"; rounded to "100 %" only if all are hit; "" if there are none.
std::string covered_percent(uint64_t hit, uint64_t all);

// Totals, the groups with most uncovered lines, and the largest methods that never ran.
void write_coverage(const coverage::Coverage& coverage, CoverageGroup group, const Options& options, std::ostream& out);
// Uncovered lines by file, as ranges.
void write_uncovered(const coverage::Coverage& coverage, const Options& options, std::ostream& out);
// Annotated source of the file or methods whose name contains `name`. An error if there are none.
Status write_covered_source(const coverage::Coverage& coverage, const std::string& name, const Options& options,
                            std::ostream& out);

// Sums of each group, except tests; most uncovered lines first.
struct CoverageRow {
  std::string name;
  coverage::Totals totals;
};
std::vector<CoverageRow> coverage_rows(const coverage::Coverage& coverage, CoverageGroup group);

}  // namespace oriel::report
