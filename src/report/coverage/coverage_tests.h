// Which tests run which code, where they were told apart.
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

// A test's lines: all, those that no other test runs, and of a choice of lines those in it.
struct TestRow {
  const coverage::Test* test = nullptr;
  uint64_t lines = 0;
  uint64_t alone = 0;
  uint64_t chosen = 0;
};
// Most that it alone runs first.
std::vector<TestRow> test_rows(const coverage::Coverage& coverage);

using CoveredLines = std::vector<std::pair<uint32_t, uint32_t>>;  // file and number, rising
// Those that somebody means by "Cart.cs:34", "Cart.cs" or the name of methods, "Cart.Add". The error says that there is
// nothing with code.
Result<CoveredLines> lines_named(const coverage::Coverage& coverage, const std::string& place);
// Tests that run any of the lines: who runs most of them first, then who runs least besides.
std::vector<TestRow> tests_of(const coverage::Coverage& coverage, const CoveredLines& lines);

void write_tests(const coverage::Coverage& coverage, const Options& options, std::ostream& out);
void write_tests_of(const coverage::Coverage& coverage, const CoveredLines& lines, const std::string& what,
                    const Options& options, std::ostream& out);

// The command that tells which tests run a line, where tests were told apart and the coverage is in a log.
void write_how_to_ask_for_tests(const coverage::Coverage& coverage, const Options& options, std::ostream& out);

// Why nothing of tests is known; "" where they were told apart.
std::string why_no_tests(const coverage::Coverage& coverage);

}  // namespace oriel::report
