// Options that select code for coverage.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "coverage/rules.h"

namespace oriel::cli {

struct CoverChoice {
  std::vector<std::string> include, exclude;  // comma-separated patterns
  std::vector<std::string> files;             // comma-separated patterns with '*' and '?'
  std::vector<std::string> attributes;        // comma-separated names
  bool tests = false;

  // All patterns, joined by '|'; "" if there are none.
  std::string included() const;
  std::string excluded() const;
};

// Adds --include, --exclude, --exclude-files, --exclude-attributes and --with-tests.
void add_choice(CLI::App& command, CoverChoice& choice);

// The error names the option and what is wrong with it.
Result<coverage::Choice> choice_of(const CoverChoice& options);

// Why nothing was covered with these options.
std::string why_nothing(const CoverChoice& options, const coverage::Choice& choice);

}  // namespace oriel::cli
