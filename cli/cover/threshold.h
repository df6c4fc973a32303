// Coverage thresholds.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "coverage/coverage.h"

namespace oriel::cli {

struct Threshold {
  enum class Of { kLines, kBranches, kMethods };
  Of of = Of::kLines;
  double percent = 0;
};

// Adds --fail-under.
void add_thresholds(CLI::App& command, std::vector<std::string>& texts);

// Parses "80" and "lines=80", "branches=72.5", "methods=90".
Result<std::vector<Threshold>> parse_thresholds(const std::vector<std::string>& texts);

// A sentence for each threshold that is not met, with the missing amount.
std::vector<std::string> below(const std::vector<Threshold>& thresholds, const coverage::Totals& totals);

}  // namespace oriel::cli
