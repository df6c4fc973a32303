// Which code somebody wants to see the coverage of, as options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "coverage/rules.h"

namespace oriel::cli {

struct CoverChoice {
  std::vector<std::string> include, exclude;  // lists of patterns
  std::vector<std::string> files;             // lists of patterns with '*' and '?'
  std::vector<std::string> attributes;        // lists
  bool tests = false;

  // The lists as one, joined by '|'; "" if there is none.
  std::string included() const;
  std::string excluded() const;
};

// --include, --exclude, --exclude-files, --exclude-attributes, --with-tests.
void add_choice(CLI::App& command, CoverChoice& choice);

// The error names the option and what is wrong with it.
Result<coverage::Choice> choice_of(const CoverChoice& options);

// Why there is nothing, for who asked for it with these options.
std::string why_nothing(const CoverChoice& options, const coverage::Choice& choice);

}  // namespace oriel::cli
