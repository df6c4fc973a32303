// Which tests run which code, if tests were counted separately.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "coverage/coverage.h"
#include "report/report.h"

namespace oriel::report {

// A test's line counts: all it runs, those that no other test runs, and those among the chosen lines.
struct TestRow {
  const coverage::Test* test = nullptr;
  uint64_t lines = 0;
  uint64_t alone = 0;
  uint64_t chosen = 0;
};
// By lines that only this test runs, descending.
std::vector<TestRow> test_rows(const coverage::Coverage& coverage);

using CoveredLines = std::vector<std::pair<uint32_t, uint32_t>>;  // file index and line number, ascending
// The lines that `place` selects: "Cart.cs:34", "Cart.cs", or methods by name, "Cart.Add". An error if there is no
// code.
Result<CoveredLines> lines_named(const coverage::Coverage& coverage, const std::string& place);
// Tests that run any of these lines: by number of these lines, descending, then by all lines, ascending.
std::vector<TestRow> tests_of(const coverage::Coverage& coverage, const CoveredLines& lines);

void write_tests(const coverage::Coverage& coverage, const Options& options, std::ostream& out);
void write_tests_of(const coverage::Coverage& coverage, const CoveredLines& lines, const std::string& what,
                    const Options& options, std::ostream& out);

// Writes the command that lists the tests of a line, if tests were counted separately and the coverage is in a log.
void write_how_to_ask_for_tests(const coverage::Coverage& coverage, const Options& options, std::ostream& out);

// Why tests are not known; "" if they were counted separately.
std::string why_no_tests(const coverage::Coverage& coverage);

}  // namespace oriel::report
